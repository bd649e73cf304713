import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedRegistry } from '../testing/served-registry.ts';
import type { AppRegistryClient } from './app-registry-client.ts';
import { changedFields } from './changed-fields.ts';
import { PreconditionFailedError } from './errors.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start({ RATE_LIMIT_UPDATES_PER_MINUTE: '0' });
});
after(() => registry.stop());

/** An app that one client has read, and another has changed since. */
async function changedApp({ client = registry.client(), change = {} as object } = {}) {
  const { id } = await registry.data.newApp({ listingInfo: { shortDescription: 'Short' } });
  const { data, response } = await client.developer.apps.current(id).withResponse();
  await registry.client().developer.apps.update(id, change);
  const update = (fields: object, options: object = { onConflict: 'merge' }) =>
    client.developer.apps.update(id, fields, { ifMatch: response.etag, ...options });
  return { id, client, data, update };
}

test('if another client has changed other fields, the update is applied to the current app', async () => {
  const { update } = await changedApp({ change: { oauthInfo: { loginUrl: 'https://theirs.example/' } } });
  const app = await update({
    listingInfo: { shortDescription: 'Ours' },
    oauthInfo: { callbackUrl: 'https://ours.example/' },
  });
  assert.equal(app.listingInfo.shortDescription, 'Ours');
  assert.deepEqual(app.oauthInfo, { loginUrl: 'https://theirs.example/', callbackUrl: 'https://ours.example/' });
});

test('if another client has changed one of the same fields, nothing changes, and the error names those fields', async () => {
  const theirs = { name: 'Theirs', listingInfo: { shortDescription: null, backgroundColor: '#123456' } };
  const { id, client, update } = await changedApp({ change: theirs });
  const ours = {
    name: 'Ours',
    listingInfo: { shortDescription: 'Ours', longDescription: 'Ours', backgroundColor: undefined },
  };
  const error = await update(ours).catch((caught) => caught);
  assert.ok(error instanceof PreconditionFailedError);
  assert.deepEqual(error.changedFields, ['name', 'listingInfo.shortDescription']);
  assert.match(error.message, /^Another client has changed name, listingInfo\.shortDescription\. /);
  const app = await client.developer.apps.current(id);
  assert.deepEqual([app.name, app.listingInfo], ['Theirs', { backgroundColor: '#123456' }]);
});

test('a new logo counts as a change of logoId', async () => {
  const { data } = await changedApp();
  const now = { ...data, logoUrl: 'https://apps.example.com/logos/logo_x' };
  assert.deepEqual(changedFields({ logoId: null, name: 'New' }, data, now), ['logoId']);
});

test('a view is compared as it was read, even if the caller has modified it', async () => {
  const { data, update } = await changedApp({ change: { oauthInfo: { loginUrl: 'https://theirs.example/' } } });
  data.name = 'Ours';
  assert.equal((await update({ name: data.name })).name, 'Ours');
});

test('an app that changes again during a merge is merged again', async () => {
  let requests = 0;
  const { baseUrl } = registry;
  const busy = registry.client();
  const client = registry.client({
    baseUrl,
    fetch: async (...request: Parameters<typeof fetch>) => {
      requests += 1;
      // Between the read and the retry.
      if (requests === 4) await busy.developer.apps.update(id, { listingInfo: { shortDescription: 'Again' } });
      return fetch(...request);
    },
  });
  const { id, update } = await changedApp({ client, change: { listingInfo: { shortDescription: 'Theirs' } } });
  const app = await update({ oauthInfo: { loginUrl: 'https://ours.example/' } });
  assert.deepEqual(
    [app.listingInfo.shortDescription, app.oauthInfo.loginUrl, requests],
    ['Again', 'https://ours.example/', 6],
  );
});

test('without the option or the cached view the update is refused', async () => {
  const change = { oauthInfo: { loginUrl: 'https://theirs.example/' } };
  const { update } = await changedApp({ change });
  await assert.rejects(update({ name: 'Ours' }, {}), { name: 'PreconditionFailedError', changedFields: [] });
  const { id, client } = await changedApp({ change });
  const elsewhere: AppRegistryClient = registry.client();
  const { response } = await client.developer.apps.current(id).withResponse();
  await client.developer.apps.update(id, { listingInfo: { shortDescription: 'Theirs' } });
  const merging = { ifMatch: response.etag, onConflict: 'merge' } as const;
  await assert.rejects(elsewhere.developer.apps.update(id, { name: 'Ours' }, merging), {
    name: 'PreconditionFailedError',
    message: /^This client has not cached the view that ifMatch names\. /,
  });
  await assert.rejects(client.developer.apps.update(id, {}, { onConflict: 'merge' }), { name: 'TypeError' });
});

test('a client caches the 100 views that it has read last', async () => {
  let read = 0;
  let isOther = false;
  const client = registry.client({
    async fetch(...request: Parameters<typeof fetch>) {
      if (!isOther) return fetch(...request);
      read += 1;
      return Response.json({ id: 'app_other' }, { headers: { etag: `"${read}"` } });
    },
  });
  const first = await changedApp({ client, change: { oauthInfo: { loginUrl: 'https://theirs.example/' } } });
  const second = await changedApp({ client, change: { oauthInfo: { loginUrl: 'https://theirs.example/' } } });
  isOther = true;
  while (read < 99) await client.developer.apps.current('app_other');
  isOther = false;
  await assert.rejects(first.update({ name: 'First' }), { message: /^This client has not cached the view/ });
  assert.equal((await second.update({ name: 'Second' })).name, 'Second');
});
