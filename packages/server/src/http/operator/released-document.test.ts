import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakingChanges, type Contract } from '../../../test/http/breaking-changes.ts';
import { releasedDocument } from '../../../test/http/released-document.ts';
import { readConfig } from '../../config/config.ts';
import { operatorDocument } from './operator-document.ts';

test('the current operator API does not break clients of the last release', () => {
  const released = releasedDocument('operator-openapi.json');
  const current: Contract = JSON.parse(JSON.stringify(operatorDocument(readConfig({}))));
  const changes = released ? breakingChanges(released, current) : [];
  assert.deepEqual(changes, [], 'a breaking change requires a new version');
});
