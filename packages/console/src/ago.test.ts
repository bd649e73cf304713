import assert from 'node:assert/strict';
import { test } from 'node:test';
import { age, ago, justAgo } from './ago.ts';

test('a time is shown in the largest unit that fits, before or ahead of this clock', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z');
  const cases = [
    ['2026-03-05T11:00:00.000Z', '5 days ago'],
    ['2026-03-09T12:00:00.000Z', '1 day ago'],
    ['2026-03-09T12:00:01.000Z', '23 hours ago'],
    ['2026-03-10T11:58:59.000Z', '1 minute ago'],
    ['2026-03-10T11:59:01.000Z', 'just now'],
    ['2026-03-10T12:00:59.000Z', 'just now'],
    ['2026-03-10T12:59:01.000Z', 'in 59 minutes'],
    ['2026-05-29T12:00:00.000Z', 'in 80 days'],
    ['2025-12-10T12:00:00.000Z', '3 months ago'],
    ['2024-03-11T12:00:00.000Z', '24 months ago'],
    ['2024-03-10T12:00:00.000Z', '2 years ago'],
  ] as const;
  for (const [at, expected] of cases) assert.equal(ago(at, now), expected);
});

test('what has just happened is shown by the second', () => {
  const at = '2026-03-01T09:30:00.000Z';
  const shown = [0, 999, 1_000, 12_500, 59_999, 60_000].map((ms) => justAgo(at, Date.parse(at) + ms));
  assert.deepEqual(shown, ['just now', 'just now', '1 s ago', '12 s ago', '59 s ago', '1 minute ago']);
});

test('an age is as short as it can be', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z');
  const cases = [
    ['2026-03-10T12:00:01.000Z', 'now'],
    ['2026-03-10T11:59:01.000Z', 'now'],
    ['2026-03-10T11:55:00.000Z', '5 min'],
    ['2026-03-09T14:00:00.000Z', '22 h'],
    ['2026-03-01T12:00:00.000Z', '9 d'],
    ['2025-11-10T12:00:00.000Z', '120 d'],
    ['2024-03-10T12:00:00.000Z', '2 y'],
  ] as const;
  for (const [at, expected] of cases) assert.equal(age(at, now), expected);
});
