import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { json, problem, type Reply, ScriptedServer, silence, stalled } from '../testing/scripted-server.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import type { ClientSettings } from './options.ts';

const reason = new Error('the user went away');

async function serving(t: TestContext, reply: Reply, settings: Partial<ClientSettings> = {}) {
  const server = await ScriptedServer.start(t, reply);
  const { platform } = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl, ...settings });
  return { server, get: (signal: AbortSignal) => platform.apps.get('app_x', { signal }) };
}

test('an aborted request rejects with the reason, before and during the response, and is not retried', async (t) => {
  const abort = () => controller.abort(reason);
  let controller: AbortController;
  for (const [reply, settings] of [
    [abort, {}],
    [stalled('{"id": "app_x"'), { onResponse: () => setImmediate(abort) }],
  ] as const) {
    controller = new AbortController();
    const { server, get } = await serving(t, reply, settings);
    await assert.rejects(get(controller.signal), (error) => error === reason);
    assert.equal(server.received.length, 1);
  }
});

test('a wait between two attempts is aborted immediately', async (t) => {
  const controller = new AbortController();
  const onRetry = () => setImmediate(() => controller.abort(reason));
  const { server, get } = await serving(t, problem(503, 'unavailable', { 'retry-after': '60' }), { onRetry });
  await assert.rejects(get(controller.signal), (error) => error === reason);
  assert.equal(server.received.length, 1);
});

test('nothing is sent if the signal is already aborted', async (t) => {
  const { server, get } = await serving(t, json(200, {}));
  await assert.rejects(get(AbortSignal.abort(reason)), (error) => error === reason);
  assert.equal(server.received.length, 0);
});

test('a timeout signal limits all attempts together', async (t) => {
  const { get } = await serving(t, problem(503, 'unavailable', { 'retry-after': '60' }));
  await assert.rejects(get(AbortSignal.timeout(20)), { name: 'TimeoutError' });
});

test('timeout and signal work even if fetch or the token function ignores them', async (t) => {
  const never = () => new Promise<never>(() => {});
  for (const settings of [{ fetch: never }, { token: never }]) {
    const { get } = await serving(t, silence, { timeoutMs: 10, maxRetries: 0, ...settings });
    await assert.rejects(get(new AbortController().signal), { name: 'AppRegistryTimeoutError' });
    const unlimited = await serving(t, silence, { timeoutMs: 0, ...settings });
    const controller = new AbortController();
    setImmediate(() => controller.abort(reason));
    await assert.rejects(unlimited.get(controller.signal), (error) => error === reason);
  }
});

test('0, very long timeouts and infinity mean no limit', async (t) => {
  const { mock } = t.mock.method(globalThis, 'setTimeout');
  for (const timeoutMs of [0, 2 ** 31, Infinity]) {
    const { get } = await serving(t, json(200, { id: 'app_x' }), { timeoutMs, maxRetries: 0 });
    assert.deepEqual(await get(new AbortController().signal), { id: 'app_x' });
    // A timer out of range fires after a millisecond.
    assert.ok(!mock.calls.some(({ arguments: [, ms] }) => ms === timeoutMs), `a timer of ${timeoutMs} ms`);
  }
});

test('a signal shared by many requests does not accumulate listeners', async (t) => {
  const { get } = await serving(t, json(200, {}));
  const { signal } = new AbortController();
  const added = t.mock.method(signal, 'addEventListener');
  const removed = t.mock.method(signal, 'removeEventListener');
  for (let at = 0; at < 5; at += 1) await get(signal);
  assert.equal(added.mock.callCount(), 5);
  assert.deepEqual(
    removed.mock.calls.map(({ arguments: [, listener] }) => listener),
    added.mock.calls.map(({ arguments: [, listener] }) => listener),
  );
});
