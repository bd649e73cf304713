import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { fixRandom } from '../testing/fix-random.ts';
import { ObservedTimers } from '../testing/observed-timers.ts';
import { json, problem, reply, reset, ScriptedServer, stalled, truncated } from '../testing/scripted-server.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { Installation } from '../types/app.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import { AppRegistryConnectionError, AppRegistryError, AppRegistryTimeoutError, NotFoundError } from './errors.ts';
import type { ClientSettings } from './options.ts';

const count = 2_000;
const timeoutMs = 54_321;
let registry: ServedRegistry;
let appId: string;
before(async () => {
  registry = await ServedRegistry.start();
  const app = await registry.data.newApp({ name: '"installations":[] & "', status: 'APPROVED' });
  appId = app.id;
  await addInstallations(registry.data.registry.storage, { appId, count, userId: app.developerId });
});
after(() => registry.stop());

async function collect(installations: AsyncIterable<Installation>): Promise<Installation[]> {
  const all: Installation[] = [];
  for await (const installation of installations) all.push(installation);
  return all;
}

/** Iterates the installations from a server, and collects them in `received`. */
function iterating({ baseUrl }: { baseUrl: string }, settings: Partial<ClientSettings> = {}) {
  const received: Installation[] = [];
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl, ...settings }).platform;
  const done = async () => {
    for await (const installation of apps.installations('app_x')) received.push(installation);
  };
  return { received, done };
}

test('the installations are those of Get App, in its order', async () => {
  const { apps } = registry.platformClient().platform;
  const { installations } = await apps.get(appId);
  assert.equal(installations.length, count);
  assert.deepEqual(await collect(apps.installations(appId)), installations);
});

test('leaving the loop ends the request', async (t) => {
  const piece = `{"id":"${'x'.repeat(10_000)}"},`;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { baseUrl } = await ScriptedServer.start(t, async (response) => {
    response.once('close', resolve).writeHead(200).write('{"installations":[');
    while (!response.closed) {
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
    }
  });
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl }).platform;
  for await (const { id } of apps.installations('app_x')) {
    assert.equal(id.length, 10_000);
    break;
  }
  await closed;
});

test('a refusal rejects the first installation', async () => {
  const installations = registry.platformClient().platform.apps.installations('app_unknown');
  await assert.rejects(installations.next(), NotFoundError);
});

test('text is decoded correctly wherever its bytes are split', async (t) => {
  const installations = [{ id: 'Zürich 🚋' }, { id: '"],[{\\' }];
  const bytes = Buffer.from(JSON.stringify({ id: 'ü', installations, name: '🚋' }));
  const server = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const byte of bytes) {
      response.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  const { received, done } = iterating(server);
  await done();
  assert.deepEqual(received, installations);
});

test('the request is retried until a response has started', async (t) => {
  fixRandom(t, 0);
  const unavailable = problem(503, 'unavailable', { 'retry-after': '0' });
  const server = await ScriptedServer.start(
    t,
    reset,
    unavailable,
    truncated('{"installations":[{"id":"1"},{"id":"2"},{"id'),
  );
  const { received, done } = iterating(server);
  await assert.rejects(done(), AppRegistryConnectionError);
  assert.deepEqual(received, [{ id: '1' }, { id: '2' }]);
  assert.equal(server.received.length, 3);
});

test('a truncated response that ends cleanly is an error, and so is one that is not from a registry', async (t) => {
  for (const body of [
    '{"installations":[{"id":"1"}',
    '{"installations":[{"id":"1"}]',
    '<html>',
    '',
    '{"id":"app_x"}',
  ]) {
    const { done } = iterating(await ScriptedServer.start(t, reply(200, body)));
    await assert.rejects(done(), (error) => {
      assert.ok(error instanceof AppRegistryError);
      assert.match(error.message, /is not from a registry, or was truncated/);
      return true;
    });
  }
});

test('each wait for data has the full timeout, which the time in the loop is no part of', async (t) => {
  const sent = ['{"installations":[{"id":"1"},', '{"id":"2"},', '{"id":"3"}', ']}'];
  let sendNext: () => unknown = () => {};
  const { baseUrl } = await ScriptedServer.start(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    sendNext = () => {
      const next = sent.shift();
      return next === undefined ? response.end() : response.write(next);
    };
    sendNext();
  });
  const timers = new ObservedTimers(t, timeoutMs);
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl, timeoutMs }).platform;
  const startedBefore: number[] = [];
  for await (const _ of apps.installations('app_x')) {
    assert.equal(timers.running.size, 0);
    startedBefore.push(timers.started);
    sendNext();
    if (sent.length <= 1) sendNext();
  }
  assert.equal(startedBefore.length, 3);
  assert.equal(new Set(startedBefore).size, 3);
  assert.equal(timers.running.size, 0);
});

test('a stalled response is aborted after the timeout, or when the caller aborts', async (t) => {
  const start = '{"installations":[{"id":"1"},';
  const timers = new ObservedTimers(t, timeoutMs);
  const { apps: late } = new AppRegistryClient({
    token: 'x',
    baseUrl: (await ScriptedServer.start(t, stalled(start))).baseUrl,
    timeoutMs,
  }).platform;
  const untilLate = async () => {
    for await (const _ of late.installations('app_x')) timers.fires = true;
  };
  await assert.rejects(untilLate(), AppRegistryTimeoutError);
  assert.ok(timers.fires);

  const { baseUrl } = await ScriptedServer.start(t, stalled(start));
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl }).platform;
  const controller = new AbortController();
  const reason = new Error('enough');
  const iterate = async () => {
    for await (const _ of apps.installations('app_x', { signal: controller.signal })) controller.abort(reason);
  };
  await assert.rejects(iterate(), (error) => error === reason);
});

test('an error thrown in the loop is passed on', async (t) => {
  const { baseUrl } = await ScriptedServer.start(t, json(200, { installations: [{ id: '1' }] }));
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl }).platform;
  const failure = new SyntaxError('of the loop');
  const iterate = async () => {
    for await (const _ of apps.installations('app_x')) throw failure;
  };
  await assert.rejects(iterate(), (error) => error === failure);
});
