import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedRegistry } from '../testing/served-registry.ts';
import { changedFields } from './changed-fields.ts';
import { PreconditionFailedError } from './errors.ts';
import type { AppAsRead } from './options.ts';

let registry: ServedRegistry;
before(async () => {
  registry = await ServedRegistry.start({ RATE_LIMIT_UPDATES_PER_MINUTE: '0' });
});
after(() => registry.stop());

/** An app that one client has read, and another has changed since. */
async function changedApp({ client = registry.client(), change = {} as object } = {}) {
  const { id } = await registry.data.newApp({ listingInfo: { shortDescription: 'Short' } });
  const base: AppAsRead = await client.developer.apps.current(id).withResponse();
  await registry.client().developer.apps.update(id, change);
  const update = (fields: object) => client.developer.apps.update(id, fields, { onConflict: 'merge', base });
  return { id, client, base, update };
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
  const { data } = (await changedApp()).base;
  const now = { ...data, logoUrl: 'https://apps.example.com/logos/logo_x' };
  assert.deepEqual(changedFields({ logoId: null, name: 'New' }, data, now), ['logoId']);
});

test('a base that was stored as JSON is merged with by any client', async () => {
  const { id, base } = await changedApp({ change: { oauthInfo: { loginUrl: 'https://theirs.example/' } } });
  const stored: AppAsRead = JSON.parse(JSON.stringify(base));
  const app = await registry
    .client()
    .developer.apps.update(id, { name: 'Ours' }, { onConflict: 'merge', base: stored });
  assert.deepEqual([app.name, app.oauthInfo.loginUrl], ['Ours', 'https://theirs.example/']);
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

test('a merge needs a base with its tag', async () => {
  const { id, client, base } = await changedApp();
  const updates = [
    // @ts-expect-error: a merge needs its base
    () => client.developer.apps.update(id, {}, { onConflict: 'merge' }),
    // @ts-expect-error: which has the tag
    () => client.developer.apps.update(id, {}, { onConflict: 'merge', base, ifMatch: '"1"' }),
    () => client.developer.apps.update(id, {}, { onConflict: 'merge', base: { ...base, response: {} } }),
  ];
  await assert.rejects(async () => updates[0]?.(), { name: 'TypeError', message: /^A merge needs a base/ });
  await assert.rejects(async () => updates[2]?.(), { name: 'TypeError', message: /^A merge needs a base/ });
});
