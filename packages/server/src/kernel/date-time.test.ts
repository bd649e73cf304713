import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dateTime } from './text.ts';

const latest = Date.parse('9999-12-31T23:59:59.999Z');

test('a time is formatted as Date.prototype.toISOString formats it', () => {
  const isSame = (ms: number) => assert.equal(dateTime(ms), new Date(ms).toISOString());
  for (const ms of [-86_400_001, -1, 0, 1, 999, 1_000, 951_782_399_999, 951_782_400_000, latest]) isSame(ms);
  fc.assert(fc.property(fc.integer({ min: -latest, max: latest }), isSame), { numRuns: 5_000 });
});

test('an invalid time throws on every call', () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 1e17, 1e17]) assert.throws(() => dateTime(ms), RangeError);
});
