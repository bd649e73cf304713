import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakingChanges, type Contract } from '../../../test/http/breaking-changes.ts';
import { releasedDocument } from '../../../test/http/released-document.ts';
import { publicDocument } from './public-document.ts';

test('the current document does not break clients of the last release', () => {
  const released = releasedDocument('openapi.json');
  const served = publicDocument({ baseUrl: 'https://apps.example.com', devBaseUrl: 'https://apps.dev.example.com' });
  const current: Contract = JSON.parse(JSON.stringify(served));
  const changes = released ? breakingChanges(released, current) : [];
  assert.deepEqual(changes, [], 'a breaking change requires a new version');
});
