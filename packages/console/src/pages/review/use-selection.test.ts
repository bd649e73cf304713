import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueueItem } from '@appregistrar/client/operator';
import { whyAlone } from './use-selection.ts';

const change = { kind: 'change', warnings: [], fields: ['listingInfo.longDescription'], reviewSteps: ['approve'] };

test('only changes without a warning, of no name, URL or developer, are approved together', () => {
  const why = (given: object) => whyAlone({ ...change, ...given } as unknown as QueueItem);
  assert.equal(why({}), undefined);
  assert.equal(why({ fields: ['logoId', 'listingInfo.backgroundColor', 'listingInfo.shortDescription'] }), undefined);
  for (const field of ['name', 'oauthInfo.loginUrl', 'oauthInfo.callbackUrl']) {
    assert.equal(why({ fields: ['logoId', field] }), 'its name or a URL changed');
  }
  assert.equal(why({ warnings: [{}] }), 'it has a warning');
  assert.equal(why({ kind: 'transfer' }), 'its developer is new');
  assert.equal(why({ kind: 'submission' }), 'it was never approved');
  assert.equal(why({ kind: 'of a later release' }), 'it was never approved');
  assert.equal(why({ reviewSteps: [] }), 'it cannot be approved now');
});
