import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matches } from './commands.ts';

test('a command is found by parts of its words in any order, without their accents', () => {
  assert.ok(matches('Approve This app', 'app approve'));
  assert.ok(matches('Tomáš is reviewing', 'TOMAS'));
  assert.ok(matches('Anything', ''));
  assert.ok(!matches('Approve This app', 'approve that'));
});
