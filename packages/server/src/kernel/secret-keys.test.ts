import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { SecretKeys } from './secret-keys.ts';

const [one, other] = [newKey(), newKey()];
const owner = 'webhook_1';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a sealed secret contains nothing of the secret, differs each time, and opens again', () => {
  const keys = new SecretKeys([one]);
  const sealed = [keys.seal(secret, owner), keys.seal(secret, owner)];
  assert.notEqual(sealed[0], sealed[1]);
  for (const stored of sealed) {
    assert.match(stored, /^aes256gcm:[0-9a-f]{8}:[A-Za-z0-9+/]+=*$/);
    assert.equal(Buffer.from(stored.split(':')[2] ?? '', 'base64').includes(secret), false);
    assert.equal(keys.open(stored, owner), secret);
  }
});

test('the first key encrypts, and every key decrypts', () => {
  const before = new SecretKeys([one]).seal(secret, owner);
  const rotated = new SecretKeys([other, one]);
  assert.equal(rotated.open(before, owner), secret);
  assert.deepEqual([rotated.isCurrent(before), rotated.isCurrent(secret)], [false, false]);
  const after = rotated.seal(secret, owner);
  assert.equal(rotated.isCurrent(after), true);
  assert.equal(new SecretKeys([other]).open(after, owner), secret);
});

test('without keys a secret is stored as it is', () => {
  const none = new SecretKeys();
  assert.equal(none.seal(secret, owner), secret);
  assert.equal(none.open(secret, owner), secret);
  assert.deepEqual([none.isEmpty, none.isCurrent(secret)], [true, true]);
});

test('a secret opens neither without its key, nor for another owner, nor after a change', () => {
  const keys = new SecretKeys([one]);
  const sealed = keys.seal(secret, owner);
  assert.equal(new SecretKeys([other]).open(sealed, owner), null);
  assert.equal(new SecretKeys().open(sealed, owner), null);
  assert.equal(keys.open(sealed, 'webhook_2'), null);
  const [prefix, id, text = ''] = sealed.split(':');
  const bytes = Buffer.from(text, 'base64');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.equal(keys.open(`${prefix}:${id}:${changed.toString('base64')}`, owner), null, `byte ${index}`);
  }
  for (let length = 0; length < bytes.length; length += 1) {
    const cut = bytes.subarray(0, length).toString('base64');
    assert.equal(keys.open(`${prefix}:${id}:${cut}`, owner), null, `${length} bytes`);
  }
});

test('keys are neither printed nor serialised', () => {
  const key = randomBytes(32);
  const keys = new SecretKeys([createSecretKey(key)]);
  for (const text of [inspect(keys, { depth: 9, showHidden: true }), JSON.stringify({ keys })]) {
    assert.equal(text.includes(key.toString('base64')) || text.includes(key.toString('hex')), false);
  }
});

function newKey() {
  return createSecretKey(randomBytes(32));
}
