import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idempotencyKey } from './header-fields.ts';

test('a key is taken with quotes around it or without, and both are the same key', () => {
  for (const key of ['8e03978e-40d5-43dd-bc93-6894a57f9324', 'k', '!~', 'a'.repeat(255), 'it"s\\one']) {
    assert.equal(idempotencyKey(`"${key.replaceAll(/["\\]/g, '\\$&')}"`), key);
    if (!key.startsWith('"')) assert.equal(idempotencyKey(key), key);
  }
  assert.equal(idempotencyKey(' "k" '), 'k');
  assert.equal(idempotencyKey(undefined), undefined);
});

test('what is no key is refused', () => {
  const invalid = ['', '""', '"', '"open', 'two words', '"two words"', 'a, b', 'ä', '"a"b"', '"a\\b"', 'a'.repeat(256)];
  for (const field of [...invalid, `"${'a'.repeat(256)}"`, 'tab\tbed']) {
    assert.throws(() => idempotencyKey(field), { code: 'malformed_request' }, field);
  }
});
