import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { json, problem, reply, reset, ScriptedServer, stalled, truncated } from '../testing/scripted-server.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { Installation } from '../types/app.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import { AppRegistryConnectionError, AppRegistryError, AppRegistryTimeoutError, NotFoundError } from './errors.ts';
import type { ClientSettings } from './options.ts';

const count = 20_000;
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

test('an app without installations has none', async () => {
  const { id } = await registry.data.newApp();
  assert.deepEqual(await collect(registry.platformClient().platform.apps.installations(id)), []);
});

test('only the current installation is in memory', async (t) => {
  const app = JSON.stringify({ id: 'app_x', installations: [] });
  const installation = JSON.stringify({ id: `installation_${'x'.repeat(26)}`, userId: `user_${'x'.repeat(100)}` });
  const thousand = Array.from({ length: 1_000 }, () => installation).join();
  const { baseUrl } = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(app.slice(0, -2));
    for (let at = 0; at < 300; at += 1) {
      if (!response.write(at === 0 ? thousand : `,${thousand}`)) await once(response, 'drain');
    }
    response.end(']}');
  });
  const main = new URL('../index.ts', import.meta.url).href;
  const code = `import { AppRegistryClient } from '${main}';
    const { platform } = new AppRegistryClient({ token: 'x', baseUrl: '${baseUrl}' });
    let received = 0;
    for await (const _ of platform.apps.installations('app_x')) received += 1;
    console.log(received);`;
  // Less than a third of them would fit.
  const options = ['--max-old-space-size=24', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  assert.equal(stdout, '300000\n');
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
  t.mock.method(Math, 'random', () => 0);
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

test('each wait for data has the full timeout, and the loop may take longer', async (t) => {
  const slow = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const piece of ['{"installations":[{"id":"1"},', '{"id":"2"},', '{"id":"3"}', ']}']) {
      response.write(piece);
      await delay(150);
    }
    response.end();
  });
  const { apps } = new AppRegistryClient({ token: 'x', baseUrl: slow.baseUrl, timeoutMs: 400 }).platform;
  let received = 0;
  for await (const { id } of apps.installations('app_x')) {
    received += 1;
    if (id === '1') await delay(600);
  }
  assert.equal(received, 3);
});

test('a stalled response is aborted after the timeout, or when the caller aborts', async (t) => {
  const start = '{"installations":[{"id":"1"},';
  const late = iterating(await ScriptedServer.start(t, stalled(start)), { timeoutMs: 100 });
  await assert.rejects(late.done(), AppRegistryTimeoutError);
  assert.equal(late.received.length, 1);

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
