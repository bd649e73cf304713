import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { breakingChanges, type Contract } from '@appregistrar/testkit/http/breaking-changes';
import { publicDocument } from './public-document.ts';

const releasedFile = new URL('../../../../../docs/released/openapi.json', import.meta.url);

test('the current document does not break clients of the released one', async () => {
  const released = JSON.parse(await readFile(releasedFile, 'utf8'));
  const served = publicDocument({ baseUrl: 'https://apps.example.com', devBaseUrl: 'https://apps.dev.example.com' });
  const current: Contract = JSON.parse(JSON.stringify(served));
  assert.deepEqual(breakingChanges(released, current), [], 'a breaking change requires a new version (decision 38)');
});
