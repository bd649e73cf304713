import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakingChangesSinceRelease } from '../../../test/http/breaking-changes.ts';
import { readConfig } from '../../config/config.ts';
import { operatorDocument } from './operator-document.ts';

test('the current operator API does not break clients of the last release', () => {
  const changes = breakingChangesSinceRelease('operator-openapi.json', operatorDocument(readConfig({})));
  assert.deepEqual(changes, [], 'a breaking change requires a new version');
});
