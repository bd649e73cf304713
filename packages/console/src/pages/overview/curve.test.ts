import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curveOf } from './curve.ts';

test('a curve spans the first to the last day and follows the counts', () => {
  const counts = [
    { date: '2026-02-27', count: 0 },
    { date: '2026-02-28', count: 5 },
    // A day is missing.
    { date: '2026-03-02', count: 4 },
    { date: '2026-03-03', count: 7 },
  ];
  assert.deepEqual(curveOf(counts), {
    top: 8,
    line: 'M0 100L25 37.5L75 50L100 12.5',
    area: 'M0 100L25 37.5L75 50L100 12.5L100 100L0 100Z',
  });
});

test('the scale ends at a round, even number that no count exceeds', () => {
  const topOf = (count: number) => curveOf([{ date: '2026-03-01', count }]).top;
  const counts = [0, 1, 2, 3, 9, 10, 61, 99, 100, 101, 2_345_678];
  assert.deepEqual(counts.map(topOf), [2, 2, 2, 4, 10, 20, 80, 100, 200, 200, 4_000_000]);
});
