import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FaultyServer, json, problem, silence, stalled, type ValidationError } from '../testing/faulty-server.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import type { ClientSettings } from './options.ts';

const reason = new Error('the user went away');

async function faulty(t: TestContext, fault: ValidationError, settings: Partial<ClientSettings> = {}) {
  const server = await FaultyServer.start(t, fault);
  const { platform } = new AppRegistryClient({ token: 'x', baseUrl: server.baseUrl, ...settings });
  return { server, get: (signal: AbortSignal) => platform.apps.get('app_x', { signal }) };
}

/** Once the server has had a request. */
async function arrived({ received }: FaultyServer): Promise<void> {
  while (received.length === 0) await delay(5);
}

test('a request that is aborted ends with the reason, before the answer and within it, and is not repeated', async (t) => {
  for (const fault of [silence, stalled('{"id": "app_x"')]) {
    const { server, get } = await faulty(t, fault);
    const controller = new AbortController();
    const got = get(controller.signal);
    await arrived(server);
    await delay(20);
    controller.abort(reason);
    await assert.rejects(got, (error) => error === reason);
    assert.equal(server.received.length, 1);
  }
});

test('a wait between two tries is aborted at once', async (t) => {
  const { server, get } = await faulty(t, problem(503, 'unavailable', { 'retry-after': '60' }));
  const controller = new AbortController();
  const got = get(controller.signal);
  await arrived(server);
  await delay(50);
  const abortedAt = performance.now();
  controller.abort(reason);
  await assert.rejects(got, (error) => error === reason);
  assert.ok(performance.now() - abortedAt < 1_000);
  assert.equal(server.received.length, 1);
});

test('with a signal that was aborted before nothing is sent', async (t) => {
  const { server, get } = await faulty(t, json(200, {}));
  await assert.rejects(get(AbortSignal.abort(reason)), (error) => error === reason);
  assert.equal(server.received.length, 0);
});

test('a signal with a time is for all tries together', async (t) => {
  const { get } = await faulty(t, problem(503, 'unavailable', { 'retry-after': '60' }));
  await assert.rejects(get(AbortSignal.timeout(200)), { name: 'TimeoutError' });
});

test('the time is kept and the signal obeyed when fetch, or the function for the token, minds neither', async (t) => {
  const never = () => new Promise<never>(() => {});
  for (const settings of [{ fetch: never }, { token: never }]) {
    const { get } = await faulty(t, silence, { timeoutMs: 100, maxRetries: 0, ...settings });
    await assert.rejects(get(new AbortController().signal), { name: 'AppRegistryTimeoutError' });
    const patient = await faulty(t, silence, { timeoutMs: 0, ...settings });
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(patient.get(controller.signal), (error) => error === reason);
  }
});

test('no limit is 0, and neither a very long one nor infinity is a short one', async (t) => {
  const slow: ValidationError = (response) => setTimeout(() => json(200, { id: 'app_x' })(response), 200);
  for (const timeoutMs of [0, 2 ** 31, Infinity]) {
    const { get } = await faulty(t, slow, { timeoutMs, maxRetries: 0 });
    assert.deepEqual(await get(new AbortController().signal), { id: 'app_x' });
  }
});

test('a signal that many requests share gathers no listeners', async (t) => {
  const { get } = await faulty(t, json(200, {}));
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
