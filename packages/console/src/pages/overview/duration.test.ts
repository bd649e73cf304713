import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText } from './duration.ts';

test('a duration is shown in the largest unit of which there are two or more', () => {
  const hour = 3_600_000;
  const shown: [number, string][] = [
    [0, '0 min'],
    [30_000, '0.5 min'],
    [90 * 60_000, '90 min'],
    [2 * hour, '2 h'],
    [2.55 * hour, '2.6 h'],
    [47 * hour, '47 h'],
    [48 * hour, '2 d'],
    [365 * 24 * hour, '365 d'],
  ];
  for (const [ms, text] of shown) assert.equal(durationText(ms), text);
});
