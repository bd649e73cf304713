import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredBytes } from './stored-bytes.ts';

const dayMs = 86_400_000;

test('the bytes of a developer are back a day after their first update, and those released at once', () => {
  let nowMs = 0;
  const storedBytes = new StoredBytes(100, () => nowMs);
  storedBytes.take('one', 60);
  const release = storedBytes.take('one', 40);
  assert.throws(() => storedBytes.take('one', 1), /of which 0 are left\. This update has 1\. .* Retry in 86400 s\.$/);
  release();
  nowMs = dayMs - 1;
  assert.throws(() => storedBytes.take('one', 41), { headers: limits({ left: 40, seconds: 1 }) });
  nowMs = dayMs;
  storedBytes.take('one', 100);
});

test('bytes that are released after the day they were taken on add nothing to the next one', () => {
  let nowMs = 0;
  const storedBytes = new StoredBytes(100, () => nowMs);
  const release = storedBytes.take('one', 100);
  nowMs = dayMs;
  storedBytes.take('one', 10);
  release();
  assert.throws(() => storedBytes.take('one', 91), /of which 90 are left/);
});

test('0 means no limit', () => {
  const storedBytes = new StoredBytes(0);
  for (let round = 0; round < 3; round += 1) storedBytes.take('one', Number.MAX_SAFE_INTEGER)();
});

function limits({ left, seconds }: { left: number; seconds: number }): Record<string, string> {
  return {
    'ratelimit-policy': '"stored-bytes";q=100;qu="content-bytes";w=86400',
    ratelimit: `"stored-bytes";r=${left};t=${seconds}`,
    'retry-after': String(seconds),
  };
}
