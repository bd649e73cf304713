import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppRegistryClient } from './app-registry-client.ts';

// In a process of its own: it replaces a function that everything uses.
test('delays grow exponentially to at most eight seconds, with full jitter', async (t) => {
  const waits: number[] = [];
  const real = setTimeout;
  t.mock.method(Math, 'random', () => 0.5);
  t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) => {
    waits.push(ms);
    return real(callback, 0);
  });
  const fetch = async () => new Response('', { status: 500 });
  const client = new AppRegistryClient({ token: 'x', baseUrl: 'https://apps.example.com', fetch, timeoutMs: 0 });
  await assert.rejects(client.platform.apps.get('app_x', { maxRetries: 6 }), { statusCode: 500 });
  assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 4_000]);
});
