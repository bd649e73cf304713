import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { breakingChanges, type Contract } from '@appregistrar/testkit/http/breaking-changes';
import { readConfig } from '../../config/config.ts';
import { operatorDocument } from './operator-document.ts';

const releasedFile = new URL('../../../../../docs/released/operator-openapi.json', import.meta.url);

test('the current operator API does not break clients of the released one', async () => {
  const released = JSON.parse(await readFile(releasedFile, 'utf8'));
  const current: Contract = JSON.parse(JSON.stringify(operatorDocument(readConfig({}))));
  assert.deepEqual(breakingChanges(released, current), [], 'a breaking change requires a new version (decision 38)');
});
