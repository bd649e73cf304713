import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { json, ScriptedServer } from '../testing/scripted-server.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { PlatformApp } from '../types/app.ts';
import { AppRegistryClient } from './app-registry-client.ts';
import type { Conditional, NotModified } from './platform-apps.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start();
});
after(() => registry.stop());

test('a conditional read reports that nothing has changed, or returns the app', async () => {
  const app = await registry.data.newApp();
  const { apps } = registry.platformClient().platform;
  const read = (etag: string | undefined): Promise<Conditional<PlatformApp>> =>
    apps.get(app.id, { ifNoneMatch: etag }).then();
  const first = await read(undefined);
  assert.ok(!first.notModified);
  assert.equal(first.data.id, app.id);
  const { requestId, ...second } = (await read(first.etag)) as NotModified;
  assert.deepEqual(second, { notModified: true, etag: first.etag });
  assert.ok(requestId);
  await registry.data.install(app);
  const third = await read(first.etag);
  assert.equal(third.data?.installations.length, 1);
  assert.notEqual(third.etag, first.etag);
});

test('a read that is not modified has response metadata too', async () => {
  const { id } = await registry.data.newApp();
  const { apps } = registry.platformClient().platform;
  const { response } = await apps.get(id).withResponse();
  const again = await apps.get(id, { ifNoneMatch: response.etag }).withResponse();
  assert.equal(again.data.notModified, true);
  assert.equal(again.response.status, 304);
  assert.match(again.response.requestId ?? '', /^[0-9a-f-]{36}$/);
});

test('the compiler knows that a read without ifNoneMatch returns the app, and one with it may not', async () => {
  const { id } = await registry.data.newApp();
  const { apps } = registry.platformClient().platform;
  const plain = await apps.get(id, { timeoutMs: 5_000 });
  assert.equal(plain.id, id);
  const conditional = await apps.get(id, { ifNoneMatch: '"other"' });
  // @ts-expect-error: there may be no data
  assert.equal(conditional.data.id, id);
});

test('unknown fields, enum values and union variants are accepted', async (t) => {
  const future = {
    id: 'app_x',
    reviewStatus: 'PAUSED',
    region: 'eu',
    developer: { userId: 'user_x', kind: { type: 'company' } },
    installations: [{ id: 'installation_x', enabled: 'by policy', seats: 5 }],
  };
  const { baseUrl } = await ScriptedServer.start(t, json(200, future));
  const { apps } = new AppRegistryClient({ baseUrl, token: 'x' }).platform;
  assert.deepEqual(await apps.get('app_x'), future);
  for await (const installation of apps.installations('app_x')) assert.deepEqual(installation, future.installations[0]);
});
