import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../../../config/config.ts';
import { retryDelayMs, retryDelayMsMax } from './next-requests.ts';

const { webhookRetryMs: retryMs } = readConfig({});
const hourMs = 3_600_000;
const middle = () => 0.5;

test('by default there are eight attempts, the last one 24 hours after the first', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelayMs({ attempts, retryMs }, middle) ?? 0);
  const seconds = waits.map((ms) => ms / 1_000);
  assert.deepEqual(seconds, [5, 300, 1_800, 7_200, 18_000, 36_000, 23_095]);
  const sum = waits.reduce((sum, ms) => sum + ms);
  assert.equal(sum, 24 * hourMs);
  assert.equal(retryDelayMs({ attempts: 8, retryMs }), null);
});

test('a pause varies by up to a tenth of the schedule', () => {
  const bounds = [0, 1].map((random) => retryDelayMs({ attempts: 2, retryMs }, () => random));
  assert.deepEqual(bounds, [270_000, 330_000]);
  const waits = Array.from({ length: 100 }, () => retryDelayMs({ attempts: 2, retryMs }));
  assert.ok(new Set(waits).size > 1);
});

test('a receiver may request a longer pause up to an hour, but neither a shorter one nor more attempts', () => {
  const wait = (attempts: number, retryAfterMs: number) => retryDelayMs({ attempts, retryMs, retryAfterMs }, middle);
  assert.equal(wait(1, 60_000), 60_000);
  assert.equal(wait(1, 1_000), 5_000);
  assert.equal(wait(1, 100 * hourMs), hourMs);
  assert.equal(wait(4, 100 * hourMs), 2 * hourMs);
  assert.equal(wait(8, 60_000), null);
});

test('no pause exceeds the longest of the schedule', () => {
  const schedule = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(schedule, fc.nat({ max: 10 * hourMs }), (retryMs, retryAfterMs) => {
      const waits = retryMs.map((_, at) => retryDelayMs({ attempts: at + 1, retryMs, retryAfterMs }, () => 1) ?? 0);
      return Math.max(...waits) <= Math.ceil(retryDelayMsMax(retryMs));
    }),
  );
  assert.equal(retryDelayMsMax([]), hourMs);
});
