import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Restarts } from './restarts.ts';

test('a process that keeps dying is restarted after longer delays, and finally not at all', () => {
  const restarts = new Restarts();
  const delays = Array.from({ length: 8 }, () => restarts.nextDelayMs(59_999));
  assert.deepEqual(delays, [100, 200, 400, 800, 1_600, 3_200, 6_400, null]);
});

test('a process that has lived for a minute resets the delay', () => {
  const restarts = new Restarts();
  for (let count = 0; count < 7; count += 1) restarts.nextDelayMs(0);
  assert.equal(restarts.nextDelayMs(60_000), 100);
  assert.equal(restarts.deaths, 1);
});
