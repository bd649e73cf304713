import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { fixRandom } from '../testing/fix-random.ts';
import { LossyProxy } from '../testing/lossy-proxy.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { AppRegistryConnectionError } from './errors.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start();
});
after(() => registry.stop());

async function lossy(t: TestContext) {
  fixRandom(t, 0.1);
  const proxy = await LossyProxy.start(t, registry.port);
  const { apps } = registry.client({ baseUrl: proxy.baseUrl }).developer;
  const { id } = await registry.data.newApp();
  const changes = async () => (await registry.data.eventsOf(id)).filter(({ type }) => type === 'app.updated').length;
  return { proxy, apps, id, changes };
}

test('after a lost response the update is applied once, and its caller receives the response', async (t) => {
  const { proxy, apps, id, changes } = await lossy(t);
  proxy.loseResponses(2);
  const { data, response } = await apps.update(id, { listingInfo: { shortDescription: 'Ours' } }).withResponse();
  assert.equal(data.listingInfo.shortDescription, 'Ours');
  assert.equal(response.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual([proxy.forwarded, await changes()], [3, 1]);
});

test('a retry does not undo what another client has changed meanwhile', async (t) => {
  const { proxy, apps, id, changes } = await lossy(t);
  const { apps: others } = registry.client().developer;
  proxy.loseResponses(1, () => others.update(id, { listingInfo: { shortDescription: 'Theirs' } }).then());
  const ours = await apps.update(id, { listingInfo: { shortDescription: 'Ours' } });
  assert.equal(ours.listingInfo.shortDescription, 'Ours');
  assert.equal((await others.current(id)).listingInfo.shortDescription, 'Theirs');
  assert.equal(await changes(), 2);
});

test('an update with ifMatch whose response was lost succeeds, and does not conflict with itself', async (t) => {
  for (const isMerge of [false, true]) {
    const { proxy, apps, id, changes } = await lossy(t);
    const base = await apps.current(id).withResponse();
    proxy.loseResponses(1);
    const options = isMerge ? ({ onConflict: 'merge', base } as const) : { ifMatch: base.response.etag };
    const app = await apps.update(id, { oauthInfo: { loginUrl: 'https://one.example/' } }, options);
    assert.deepEqual([app.oauthInfo.loginUrl, await changes()], ['https://one.example/', 1]);
  }
});

test('if every response is lost, the error says to read the app, and the update is applied once', async (t) => {
  const { proxy, apps, id, changes } = await lossy(t);
  proxy.loseResponses(3);
  const error = await apps.update(id, { listingInfo: { shortDescription: 'Ours' } }).catch((caught) => caught);
  assert.ok(error instanceof AppRegistryConnectionError);
  assert.match(error.message, /A change may have taken effect: read before/);
  assert.equal(await changes(), 1);
});
