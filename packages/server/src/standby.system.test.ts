import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '@appregistrar/testkit/engines/engines';
import { apiRequest, getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { send } from '@appregistrar/testkit/http/send';
import { runHere } from '@appregistrar/testkit/programs/command-line';
import { addInstallations } from '@appregistrar/testkit/registry/many-installations';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { FailoverScene } from '../test/engines/failover-scene.ts';
import { serveHere } from '../test/programs/serve-here.ts';

const longList = 1_500;
const get = (path: string): HttpRequest => ({ method: 'GET', path });

test('a server on a standby refuses reads, updates and commands with the reason, and serves once the standby is promoted', async (t) => {
  const scene = await FailoverScene.open();
  t.after(() => scene.close());
  const fixture = await RegistryFixture.open(engineOf(scene));
  t.after(() => fixture.close());
  const { id } = await fixture.newApp();
  const long = await fixture.newApp();
  const { storage } = fixture.registry;
  await addInstallations(storage, { appId: long.id, count: longList, userId: fixture.developer.id });
  const [platform, developer, operator] = await Promise.all(
    (['platform', 'developer', 'operator'] as const).map(async (kind) => (await fixture.newToken(kind)).token),
  );
  const { log, publicUrl, operatorUrl, stop } = await serveHere(scene.url);
  t.after(() => stop());
  const etag = (await send(publicUrl, getAppRequest(platform ?? '', id))).etag;
  const requests: [url: string, request: HttpRequest, status: number][] = [
    [publicUrl, getAppRequest(platform ?? '', id), 200],
    [publicUrl, getAppRequest(platform ?? '', id, { 'if-none-match': etag }), 304],
    [publicUrl, getAppRequest(platform ?? '', long.id), 200],
    [publicUrl, updateAppRequest(developer ?? '', { id, update: {} }), 200],
    [publicUrl, updateAppRequest(developer ?? '', { id, update: {}, headers: { 'if-match': '"old"' } }), 412],
    [publicUrl, updateAppRequest(developer ?? '', { id: long.id, update: { name: 'Another' } }), 200],
    [operatorUrl, apiRequest(operator ?? '', { path: '/operator/v1/apps' }), 200],
    [operatorUrl, apiRequest(operator ?? '', { path: `/operator/v1/apps/${id}` }), 200],
  ];
  const assertServed = async () => {
    for (const [url, request, status] of requests)
      assert.equal((await send(url, request)).status, status, request.path);
  };
  await assertServed();
  await scene.replicated();

  scene.address.switchTo(scene.standby.port);
  const readiness = () => send(operatorUrl, get('/readyz'));
  while (!(await readiness()).text.includes('Not ready: the database server is a standby'));
  for (const [url, request] of requests) {
    const { status, headers, text } = await send(url, request);
    assert.deepEqual([status, headers['retry-after']], [503, '1'], `${request.path}: ${text}`);
    assert.match(text, /Nothing was changed/);
  }
  assert.equal((await readiness()).status, 503);
  assert.equal((await send(operatorUrl, get('/livez'))).status, 200);
  const metrics = new ScrapedMetrics((await send(operatorUrl, get('/metrics'))).text);
  assert.deepEqual([metrics.value('registry_ready'), metrics.value('database_timeline_changes_total')], [0, 0]);
  const listed = await runHere('app', 'list', '--database-url', scene.url);
  assert.deepEqual([listed.status, listed.stdout], [1, '']);
  assert.match(listed.stderr, /the database server is a standby/);

  await scene.standby.promote();
  while ((await readiness()).status !== 200);
  await assertServed();
  const lines = log.lines.filter(({ msg }) => msg.includes('another timeline'));
  assert.deepEqual(
    lines.map(({ from, to }) => [from, to]),
    [[1, 2]],
  );
  const after = new ScrapedMetrics((await send(operatorUrl, get('/metrics'))).text);
  assert.equal(after.value('database_timeline_changes_total'), 1);
});

/** Opens registries at the address of a scene. */
function engineOf({ url }: FailoverScene): Engine {
  const createDatabase = async () => ({ url, drop: async () => {} });
  return { name: 'postgres', createDatabase, createMigratedDatabase: createDatabase };
}
