import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { databaseUrl, duration, wholeNumber } from './options.ts';

test('a length of time is a number and a unit', () => {
  assert.equal(duration('45s'), 45_000);
  assert.equal(duration('30m'), 1_800_000);
  assert.equal(duration('12h'), 43_200_000);
  assert.equal(duration('90d'), 7_776_000_000);
  for (const text of ['', '90', 'd', '-1d', '1.5d', '1w', '90 d', '90D', '1d12h', '9999999d']) {
    assert.throws(() => duration(text), InvalidArgumentError, text);
  }
});

test('a whole number has digits only', () => {
  assert.equal(wholeNumber('0'), 0);
  assert.equal(wholeNumber('42'), 42);
  for (const text of ['', '-1', '+1', '1.0', '1e3', '0x10', ' 1', '9'.repeat(16)]) {
    assert.throws(() => wholeNumber(text), InvalidArgumentError, text);
  }
});

test('the address of a database is never empty', () => {
  assert.equal(databaseUrl('sqlite::memory:'), 'sqlite::memory:');
  assert.throws(() => databaseUrl(''), InvalidArgumentError);
});
