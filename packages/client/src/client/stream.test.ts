import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fixRandom } from '../testing/fix-random.ts';
import { problem, reply, reset, ScriptedServer, truncated } from '../testing/scripted-server.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { Installation } from '../types/app.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import { AppRegistryConnectionError, NotFoundError, ResponseError } from './errors.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start();
});
after(() => registry.stop());

const appsOf = ({ baseUrl }: { baseUrl: string }) => new AppRegistryClient({ token: 'x', baseUrl }).platform.apps;

test('a stream has the app of Get App, its etag and its installations', async () => {
  const logo = await registry.data.newLogo();
  const created = await registry.data.newApp({ status: 'APPROVED', logoId: logo.id });
  const { id } = created;
  await registry.data.install(created);
  const { apps } = registry.platformClient().platform;
  const whole = await apps.get(id, { ifNoneMatch: undefined });
  const { notModified, etag, requestId, app, installations } = await apps.stream(id);
  assert.deepEqual([notModified, etag], [false, whole.etag]);
  assert.match(requestId ?? '', /^[\da-f-]{36}$/);
  assert.deepEqual([app.id, app.developer.email], [id, registry.data.developer.email]);
  const received: Installation[] = [];
  for await (const installation of installations) received.push(installation);
  assert.deepEqual({ ...app, installations: received }, whole.data);
});

test('a conditional stream says that the app has not changed, or has it', async () => {
  const { id } = await registry.data.newApp();
  const { apps } = registry.platformClient().platform;
  const first = await apps.stream(id, { ifNoneMatch: undefined });
  assert.ok(!first.notModified);
  assert.deepEqual(await first.installations.next(), { done: true, value: undefined });
  const { requestId, ...again } = await apps.stream(id, { ifNoneMatch: first.etag });
  assert.deepEqual(again, { notModified: true, etag: first.etag });
  assert.match(requestId ?? '', /^[\da-f-]{36}$/);
  assert.equal((await apps.stream(id, { ifNoneMatch: '"other"' })).notModified, false);
});

test('the app is known before its list ends, and gets what follows the list', async (t) => {
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  const server = await ScriptedServer.start(t, async (response) => {
    response.writeHead(200).write('{"id":"app_x","name":"Known","installations":[{"id":"1"}');
    await isRead;
    response.end('],"logoUrl":"https://apps.example.com/logos/logo_x"}');
  });
  const { app, installations } = await appsOf(server).stream('app_x');
  assert.deepEqual(app, { id: 'app_x', name: 'Known' });
  assert.deepEqual((await installations.next()).value, { id: '1' });
  resolve();
  assert.equal((await installations.next()).done, true);
  assert.deepEqual(app, { id: 'app_x', name: 'Known', logoUrl: 'https://apps.example.com/logos/logo_x' });
});

test('a stream whose installations are not wanted ends its request', async (t) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = await ScriptedServer.start(t, async (response) => {
    response.once('close', resolve).writeHead(200).write('{"id":"app_x","installations":[');
    await once(response, 'close');
  });
  const { installations } = await appsOf(server).stream('app_x');
  await installations.return();
  await closed;
});

test('a stream is retried until its list starts, and breaks off after that', async (t) => {
  fixRandom(t, 0);
  const start = '{"id":"app_x","name":"Known"';
  const server = await ScriptedServer.start(t, truncated(start), reset, truncated(`${start},"installations":[`));
  const { app, installations } = await appsOf(server).stream('app_x');
  assert.equal(app.name, 'Known');
  await assert.rejects(installations.next(), AppRegistryConnectionError);
  assert.equal(server.received.length, 3);
});

test('a refusal, and a response that is not an app, reject the stream', async (t) => {
  await assert.rejects(registry.platformClient().platform.apps.stream('app_unknown'), NotFoundError);
  for (const body of ['<html>', '', '{"id":"app_x"}', '{"id" "installations":[']) {
    const server = await ScriptedServer.start(t, reply(200, body));
    await assert.rejects(appsOf(server).stream('app_x'), ResponseError, body);
  }
  const known = await ScriptedServer.start(t, reply(304, ''), problem(500, 'internal_error'));
  await assert.rejects(appsOf(known).stream('app_x'), ResponseError);
});
