import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { databaseUrl, durationUpTo, revisionName, wholeNumber } from './command-options.ts';

const daySeconds = 86_400;

test('a duration is a number and a unit', () => {
  const duration = durationUpTo(366 * daySeconds);
  assert.equal(duration('45s'), 45);
  assert.equal(duration('30m'), 1_800);
  assert.equal(duration('12h'), 43_200);
  assert.equal(duration('90d'), 7_776_000);
  for (const text of ['', '90', 'd', '-1d', '1.5d', '1w', '90 d', '90D', '1d12h', '9999999d']) {
    assert.throws(() => duration(text), InvalidArgumentError, text);
  }
});

test('a duration of 0 and one that is too long are rejected with the allowed range', () => {
  const duration = durationUpTo(366 * daySeconds);
  assert.equal(duration('1s'), 1);
  assert.equal(duration('366d'), 366 * daySeconds);
  for (const text of ['0s', '0d', '367d', '8785h', '999999d']) {
    assert.throws(() => duration(text), { message: 'It must be a duration from 1s to 366d.' }, text);
  }
});

test('a whole number contains only digits', () => {
  assert.equal(wholeNumber('0'), 0);
  assert.equal(wholeNumber('42'), 42);
  for (const text of ['', '-1', '+1', '1.0', '1e3', '0x10', ' 1', '9'.repeat(16)]) {
    assert.throws(() => wholeNumber(text), InvalidArgumentError, text);
  }
});

test('a revision is named by its number or its ETag', () => {
  assert.equal(revisionName('7'), 7);
  for (const text of ['7.0195f2c4.Vb2xq0m9K-_y', '"7.0195f2c4.Vb2xq0m9K-_y"', '"7.0195f2c4"']) {
    assert.equal(revisionName(text), text.replaceAll('"', ''));
  }
  for (const text of ['', '-1', 'x', '7.', '"7"', 'W/"7.a"', '7.a,8.b']) {
    assert.throws(() => revisionName(text), InvalidArgumentError, text);
  }
});

test('a database URL is never empty', () => {
  assert.equal(databaseUrl('sqlite::memory:'), 'sqlite::memory:');
  assert.throws(() => databaseUrl(''), InvalidArgumentError);
});
