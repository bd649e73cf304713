import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, type TestContext, test } from 'node:test';
import { AppRegistryError, ConflictError, NotFoundError } from '../client/errors.ts';
import { fixRandom } from '../testing/fix-random.ts';
import { LossyProxy } from '../testing/lossy-proxy.ts';
import { ServedRegistry } from '../testing/served-registry.ts';
import { OperatorClient } from './operator-client.ts';

let registry: ServedRegistry;
let operator: OperatorClient;
let token: string;
before(async () => {
  registry = await ServedRegistry.start();
  token = (await registry.data.newToken('operator')).token;
  operator = new OperatorClient({ baseUrl: registry.operatorUrl.replace('/operator/v1', ''), token });
});
after(() => registry.stop());

const developerId = () => registry.data.developer.id;
const newApp = (name: string) => operator.apps.create({ developerId: developerId(), name });

test('an app is created, submitted and approved at the revision that was read', async () => {
  const { id } = await newApp('Invoice Sync');
  await operator.apps.submit(id);
  const [waiting] = (await operator.reviewQueue.list().page()).items;
  assert.equal(waiting?.app.id, id);
  const approved = await operator.apps.approve(id, {
    revision: (await operator.apps.get(id)).etag,
    message: 'Welcome',
  });
  assert.equal(approved.reviewStatus, 'APPROVED');
  const [decision] = (await operator.apps.listDecisions(id).page()).items;
  assert.equal(decision?.message, 'Welcome');
});

test('a page has what its query requests besides the items', async () => {
  const { id } = await newApp('Named');
  const named = new OperatorClient({
    baseUrl: registry.operatorUrl.replace('/operator/v1', ''),
    token: (await registry.data.newToken('operator', { name: 'Grace' })).token,
  });
  await named.apps.submit(id);
  const { items, actors = [] } = await operator.events.list({ appId: id, actors: true, sort: '-id' }).page();
  assert.deepEqual(
    actors.map(({ name }) => name),
    ['Grace'],
  );
  assert.equal(actors[0]?.actor, items[0]?.actor);
  assert.ok(!('actors' in (await operator.events.list({ appId: id }).page())));
  await named.apps.withdraw(id);
  await named.apps.update(id, { name: 'Renamed' });
  const revisions = await operator.apps.listRevisions(id, { actors: true, limit: 1 }).page();
  assert.deepEqual(revisions.actors, [{ actor: revisions.items[0]?.actor, name: 'Grace' }]);
});

test('content that has changed since it was read is not approved', async () => {
  const read = await newApp('Ledger Sync');
  await operator.apps.update(read.id, { name: 'Ledger Sync 2' }, { ifMatch: read.etag });
  await operator.apps.submit(read.id);
  await assert.rejects(operator.apps.approve(read.id, { revision: read.etag }), ConflictError);
  assert.equal((await operator.apps.get(read.id)).reviewStatus, 'AWAITING_REVIEW');
});

test('a list yields its items over all pages, or one page', async () => {
  const names = ['A', 'B', 'C', 'D', 'E'].map((letter) => `Paged ${letter}`);
  for (const name of names) await newApp(name);
  const listed: string[] = [];
  for await (const { name } of operator.apps.list({ name: 'Paged', limit: 2 })) listed.push(name);
  assert.deepEqual(listed, names);
  const first = await operator.apps.list({ name: 'Paged', limit: 2 }).page();
  assert.deepEqual([first.items.length, (await first.next())?.items[0]?.name], [2, 'Paged C']);
  const third = await operator.apps.list({ name: 'Paged', limit: 2, cursor: first.nextCursor }).page();
  assert.equal(third.items[0]?.name, 'Paged C');
});

test('the message of a refused list names the parameter', async () => {
  await assert.rejects(operator.apps.list({ limit: 101 }).page(), {
    message: /\nlimit: The value must be at most 100\.$/,
  });
});

test('an installation is created, disabled and deleted, and a dry run changes nothing', async () => {
  const app = await registry.data.newApp({ status: 'APPROVED' });
  const { id } = await operator.installations.create({
    appId: app.id,
    workspaceId: randomUUID(),
    userId: randomUUID(),
  });
  assert.equal((await operator.installations.disable(id)).enabled, false);
  const tried = await operator.installations.delete(id, { dryRun: true });
  assert.equal(tried.dryRun, true);
  assert.equal((await operator.installations.get(id)).id, id);
  await operator.installations.delete(id);
  await assert.rejects(operator.installations.get(id), NotFoundError);
});

test('an image is uploaded as a logo', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';
  const logo = await operator.logos.create({ developerId: developerId(), image: new Blob([svg]) });
  const app = await newApp('With a logo');
  assert.equal((await operator.apps.update(app.id, { logoId: logo.id })).logoId, logo.id);
});

test('a creation whose response is lost is made once, and its caller receives the response', async (t) => {
  const { proxy, lossy } = await overLossyProxy(t);
  proxy.loseResponses(1);
  const { data, response } = await lossy.apps.create({ developerId: developerId(), name: 'Once' }).withResponse();
  assert.deepEqual([data.name, response.headers.get('idempotency-replayed')], ['Once', 'true']);
  assert.equal((await operator.apps.list({ name: 'Once' }).page()).items.length, 1);
});

test('any other change whose response is lost is made once too, and its caller receives the response', async (t) => {
  const { proxy, lossy } = await overLossyProxy(t);
  const { id } = await newApp('Lost');
  const changesOf = async () => (await registry.data.eventsOf(id)).map(({ type }) => type);
  const update = async () => {
    const { etag } = await operator.apps.get(id);
    return lossy.apps.update(id, { listingInfo: { shortDescription: 'Ours' } }, { ifMatch: etag });
  };
  const changes = [
    ['app.submitted', () => lossy.apps.submit(id)],
    ['app.approved', async () => lossy.apps.approve(id, { revision: (await operator.apps.get(id)).etag })],
    ['app.updated', update],
    ['app.updated', () => lossy.apps.revert(id, { toApproved: true })],
    ['app.revoked', () => lossy.apps.revoke(id, { message: 'No' })],
  ] as const;
  for (const [type, change] of changes) {
    const earlier = await changesOf();
    const forwarded = proxy.forwarded;
    proxy.loseResponses(2);
    const app = await change();
    assert.deepEqual([app.id, proxy.forwarded - forwarded], [id, 3], type);
    assert.deepEqual((await changesOf()).slice(earlier.length), [type]);
  }
});

test('a deletion whose response is lost is sent again: its error says that it may have taken effect', async (t) => {
  const { proxy, lossy } = await overLossyProxy(t);
  const { id } = await newApp('Deleted');
  proxy.loseResponses(1);
  const lost = await errorOf(lossy.apps.delete(id));
  assert.deepEqual([lost instanceof NotFoundError, lost.mayHaveTakenEffect], [true, true]);
  const again = await errorOf(lossy.apps.delete(id));
  assert.deepEqual([again instanceof NotFoundError, again.mayHaveTakenEffect], [true, false]);
});

test('if the response with a token is lost, the error says that the token was issued, and names it', async (t) => {
  const { proxy, lossy } = await overLossyProxy(t);
  proxy.loseResponses(1);
  const error = await errorOf(lossy.tokens.create({ kind: 'platform', name: 'Lost' }));
  assert.deepEqual([error.code, error.mayHaveTakenEffect], ['token_created', true]);
  const [id = ''] = /token_\w+/.exec(error.message) ?? [];
  assert.equal((await operator.tokens.get(id)).name, 'Lost');
});

test('any other request has the same errors and retries', async () => {
  const { id } = await newApp('By path');
  const path = `/operator/v1/apps/${id}`;
  const read = (await operator.request('GET', path)) as { name: string };
  assert.equal(read.name, 'By path');
  const events = (await operator.request('GET', '/operator/v1/events', { query: { appId: id, limit: 1 } })) as {
    items: unknown[];
  };
  assert.equal(events.items.length, 1);
  await assert.rejects(
    async () => operator.request('POST', `${path}/withdraw`),
    (error) => error instanceof ConflictError && error.code === 'review_status_conflict',
  );
});

test('a page of the operator listener needs no token: its requests have the session of the browser', async () => {
  const baseUrl = registry.operatorUrl.replace('/operator/v1', '');
  const cookies: string[] = [];
  const page = new OperatorClient({
    baseUrl,
    token: null,
    // The headers that a browser adds to requests of such a page.
    fetch: (url, init) => fetch(url, { ...init, headers: [...new Headers(init?.headers), ...ofBrowser()] }),
    onResponse: ({ response }) =>
      cookies.push(...response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')),
  });
  const ofBrowser = (): [string, string][] => [
    ['origin', baseUrl],
    ['cookie', cookies.join('; ')],
  ];
  await assert.rejects(page.overview.get(), { name: 'UnauthorizedError', code: 'token_missing' });
  assert.equal(await page.request('POST', '/session', { body: { token } }), undefined);
  assert.equal(cookies.length, 1);
  const { id } = await page.apps.create({ developerId: developerId(), name: 'By a session' });
  assert.equal((await page.apps.get(id)).name, 'By a session');
});

test('an id that is missing or would change the path is refused before anything is sent', async () => {
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await assert.rejects(operator.apps.get(id), TypeError);
  }
  await assert.rejects(operator.apps.get('a/../b'), NotFoundError);
});

async function errorOf(request: PromiseLike<unknown>): Promise<AppRegistryError> {
  const error = await Promise.resolve(request).then(
    () => assert.fail('expected an error'),
    (caught: unknown) => caught,
  );
  assert.ok(AppRegistryError.is(error));
  return error;
}

async function overLossyProxy(t: TestContext): Promise<{ proxy: LossyProxy; lossy: OperatorClient }> {
  fixRandom(t, 0.1);
  const proxy = await LossyProxy.start(t, Number(new URL(registry.operatorUrl).port));
  return { proxy, lossy: new OperatorClient({ baseUrl: proxy.baseUrl, token }) };
}
