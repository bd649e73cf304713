import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { listWebhooks } from '@appregistrar/testkit/calls/webhooks';
import type { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import type { Locator, Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, type ConsoleFixture } from './console-fixture.ts';
import { WebhookFixture } from './webhook-fixture.ts';

let webhooks: WebhookFixture;
let fixture: ConsoleFixture;
let receiver: HookReceiver;
before(async () => {
  webhooks = await WebhookFixture.open();
  ({ console: fixture, receiver } = webhooks);
});
after(() => webhooks.close());

const newWebhook = (name: string, types?: string[]) =>
  webhooks.newWebhook(name, { path: `/${name}`, ...(types && { types }) });
const limitsOf = async (name: string) => {
  const found = (await listWebhooks(fixture.data.registry, {})).items.find((webhook) => webhook.name === name);
  return [found?.effectiveOnly, found?.batch, found?.requestsAtOnce];
};
const stored = async (name: string) =>
  (await rowsOf(fixture.data.registry.storage, 'webhooks')).find((webhook) => webhook.name === name);

test('a webhook is added and tested, and its deliveries are listed and redelivered', async () => {
  const page = await fixture.signedIn('#/webhooks');
  await page.getByText('No webhooks yet').waitFor();
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('URL').fill('not a URL');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('/url').waitFor();
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 422');
  await page.getByLabel('URL').fill(receiver.url('/billing'));
  await page.getByLabel('Name (to identify it)').fill('Billing');
  await page.getByRole('button', { name: 'Add' }).click();
  const secret = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.match(secret ?? '', /^whsec_/);
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('heading', { name: 'Delivery of webhook.tested' }).waitFor();
  await page.getByRole('status').getByText('Delivered').waitFor();
  const tests = () =>
    receiver.arrivals.filter(({ path, event }) => `${path} ${event.type}` === '/billing webhook.tested');
  assert.equal(tests().length, 1);
  await page
    .getByRole('navigation', { name: 'Breadcrumbs' })
    .getByRole('link', { name: 'Webhook', exact: true })
    .click();
  const row = page.getByRole('row', { name: 'webhook.tested' });
  await refreshUntilSeen(page, row.getByText('Delivered'));
  await row.getByRole('button', { name: 'Redeliver' }).click();
  while (tests().length < 2) await refreshUntilSeen(page, row.getByText('Delivered'));
  await page.getByLabel('State').selectOption('Failed');
  await page.getByText('No matching deliveries.').waitFor();
});

test('a delivery shows its last request and response as text, also after a redelivery', async () => {
  const { id, url } = await newWebhook('Broken', ['protected_name.created']);
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  const html = '<!doctype html><script>document.title = "run"</script><b>Out of order</b>';
  receiver.respond = (_, response) =>
    response.writeHead(500, { 'content-type': 'text/html', 'set-cookie': 'session=hush' }).end(html);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('status').getByText('Pending after one attempt').waitFor();
  const [request, response] = ['Request', 'Response'].map((name) => page.getByRole('region', { name, exact: true }));
  await request?.getByText(`POST ${url}`).waitFor();
  const { body, headers } = receiver.arrivals.findLast(({ path }) => path === '/Broken') ?? assert.fail();
  const sent = await page.getByRole('region', { name: 'The body of the request' }).textContent();
  assert.deepEqual(JSON.parse(sent ?? ''), JSON.parse(body));
  await request?.getByRole('row', { name: `webhook-id ${headers['webhook-id']}` }).waitFor();
  await request?.getByRole('row', { name: 'webhook-signature v1,(not stored)' }).waitFor();
  await response?.getByText('500').waitFor();
  await response?.getByRole('row', { name: 'set-cookie (not stored)' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'The body of the response' }).textContent(), html);
  assert.equal(await page.locator('main b').count(), 0);
  receiver.respond = (_, response) => response.end('{"works":"again"}');
  await page.getByRole('button', { name: 'Redeliver' }).click();
  await page.getByRole('status').getByText('Delivered after one attempt').waitFor();
  await response?.getByText('"works": "again"').waitFor();
});

test('all failed deliveries are sent again after a confirmation, and no other', async () => {
  const { id } = await newWebhook('Recovered', ['app.created']);
  const apps = [await fixture.data.newApp(), await fixture.data.newApp()];
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await refreshUntilSeen(page, page.getByRole('row', { name: 'app.created' }).nth(1).getByText('Delivered'));
  await fixture.data.registry.storage.write((transaction) =>
    transaction.run(
      transaction.builder
        .updateTable('deliveries')
        .set({ state: 'failed', response_body: 'busy' })
        .where('webhook_id', '=', id)
        .where('queue', '=', apps[0]?.id ?? '')
        .compile(),
    ),
  );
  const arrived = () => receiver.arrivals.filter(({ path }) => path === '/Recovered').map(({ event }) => event.appId);
  assert.equal(await page.getByRole('button', { name: 'Redeliver all failed' }).count(), 0);
  await page.getByLabel('State').selectOption('Failed');
  await page.getByRole('row', { name: 'busy' }).waitFor();
  await page.getByRole('button', { name: 'Redeliver all failed' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Redeliver now' }).click();
  await page.getByText('1 delivery queued again.').waitFor();
  await page.getByLabel('State').selectOption('Delivered');
  await refreshUntilSeen(page, page.getByRole('row', { name: 'app.created' }).nth(1));
  // Deliveries about different apps are in no order.
  assert.deepEqual(new Set(arrived().slice(0, 2)), new Set(apps.map((app) => app.id)));
  assert.deepEqual(arrived().slice(2), [apps[0]?.id]);
});

test('what blocks a queue is named, is retried with all that are pending, and the webhook is then no longer failing', async () => {
  const { id } = await newWebhook('Blocked', ['app.created', 'app.updated']);
  const respond = receiver.respond;
  const rename = (appId: string, name: string) =>
    updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: { name } });
  receiver.respond = (_, response) => response.writeHead(503).end();
  const app = await fixture.data.newApp();
  await rename(app.id, 'Blocked 1');
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.getByText('Failing since').waitFor();
  const blocked = page.getByRole('region', { name: 'Blocked', exact: true }).getByRole('row', { name: 'app.created' });
  await blocked.getByRole('cell', { name: '1', exact: true }).first().waitFor();
  await rename(app.id, 'Blocked 2');
  await blocked.getByRole('cell', { name: '2', exact: true }).waitFor();
  await page
    .getByText(/waits for app.created\s*, which is retried (now|within|in)/)
    .first()
    .waitFor();
  await assertAccessible(page);
  receiver.respond = respond;
  await page.getByRole('button', { name: 'Retry all pending' }).click();
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('Failing since').waitFor({ state: 'detached' });
  await blocked.waitFor({ state: 'detached' });
  await refreshUntilSeen(page, page.getByRole('row', { name: 'app.updated' }).nth(1).getByText('Delivered'));
});

test('a webhook is disabled, enabled, rotated, and deleted after a confirmation', async () => {
  const { id, secret } = await newWebhook('Mail');
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  assert.ok((await stored('Mail'))?.disabled_at);
  assert.equal(await page.getByRole('button', { name: 'Send a test' }).count(), 0);
  await page.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  assert.equal((await stored('Mail'))?.disabled_at, null);
  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await page.getByRole('button', { name: 'Rotate now' }).click();
  await page.getByText('Previous secret valid until').waitFor();
  const shown = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.deepEqual([(await stored('Mail'))?.secret, (await stored('Mail'))?.previous_secret], [shown, secret]);
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  assert.ok(await stored('Mail'));
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  assert.equal(await stored('Mail'), undefined);
});

test('the event types of a webhook are chosen when it is added and when it is edited', async () => {
  const page = await fixture.signedIn('#/webhooks');
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('URL').fill(receiver.url('/chosen'));
  await page.getByLabel('Name (to identify it)').fill('Chosen');
  await page.getByLabel('only these').check();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('Types:').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
  await page.getByLabel('app.revoked').check();
  await page.getByLabel('app.approved').check();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('row', { name: 'Chosen' }).getByText('app.approved, app.revoked').waitFor();
  assert.equal((await stored('Chosen'))?.types, 'app.approved app.revoked');

  await page.getByRole('link', { name: 'Chosen' }).click();
  await page.getByText('Edit the webhook').click();
  assert.equal(await page.getByLabel('app.revoked').isChecked(), true);
  await page.getByLabel('app.revoked').uncheck();
  await page.getByLabel('URL').fill('');
  await page.getByLabel('URL').fill(receiver.url('/moved'));
  await page.getByLabel('Name (to identify it)').fill('Moved');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Moved' }).waitFor();
  const moved = await stored('Moved');
  assert.deepEqual([moved?.types, moved?.url], ['app.approved', receiver.url('/moved')]);
});

test('editing a webhook sends only the changes, and shows why they are refused', async () => {
  const { id } = await newWebhook('Shared', ['app.approved']);
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.getByText('Edit the webhook').click();
  await page.getByLabel('URL').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('alert').getByText('/url').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
  await page.getByLabel('URL').fill(receiver.url('/Shared'));
  await page.getByLabel('all events, including').check();
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  assert.deepEqual(request.postDataJSON(), { types: null });
  await page.getByText('All events', { exact: true }).waitFor();
  assert.ok(
    await page
      .locator('summary')
      .first()
      .evaluate((summary) => summary === document.activeElement),
  );
});

test('the effective changes, batching and concurrency of a webhook are chosen when it is added and when it is edited', async () => {
  const page = await fixture.signedIn('#/webhooks');
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('URL').fill(receiver.url('/slow'));
  await page.getByLabel('Name (to identify it)').fill('Slow');
  await page.getByLabel('Only events that change what platforms may act on').check();
  await page.getByLabel('batch events of the same app into one request').check();
  await page.getByLabel('Concurrent requests').fill('7');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('link', { name: 'Slow' }).click();
  await page.getByText('All events (effective changes only)', { exact: true }).waitFor();
  await page.getByText('Several events of an app per request', { exact: true }).waitFor();
  assert.deepEqual(await limitsOf('Slow'), [true, true, 7]);
  await page.getByText('Edit the webhook').click();
  await page.getByLabel('Concurrent requests').fill('');
  await page.getByLabel('Only events that change what platforms may act on').uncheck();
  await page.getByLabel('batch events of the same app into one request').uncheck();
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  assert.deepEqual(request.postDataJSON(), { effectiveOnly: false, batch: false, requestsAtOnce: null });
  await page.getByText('One event per request', { exact: true }).waitFor();
  await page.getByText('Default', { exact: true }).waitFor();
  assert.deepEqual(await limitsOf('Slow'), [false, false, undefined]);
});

test('all deliveries since a time are redelivered, and their number is shown', async () => {
  const { id } = await newWebhook('Replayed', ['app.created']);
  const { id: appId } = await fixture.data.newApp();
  const arrivals = () =>
    receiver.arrivals.filter(({ path, event }) => path === '/Replayed' && event.appId === appId).length;
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  const row = page.getByRole('row', { name: 'app.created' });
  await refreshUntilSeen(page, row.getByText('Delivered'));
  const before = arrivals();
  await page.getByText('Redeliver since a time').click();
  await page.getByLabel('Queued at this time or later').fill('2999-01-01T00:00');
  await page.getByRole('button', { name: 'Redeliver all' }).click();
  await page.getByText('0 deliveries queued again.').waitFor();
  await page.getByLabel('Queued at this time or later').fill('2020-01-01T00:00');
  await page.getByRole('button', { name: 'Redeliver all' }).click();
  await page.getByText('1 delivery queued again.').waitFor();
  await refreshUntilSeen(page, row.getByText('Delivered'));
  while (arrivals() === before) await refreshUntilSeen(page, row.getByText('Delivered'));
});

test('after a lost response a retry shows the rotated secret, and the previous one stays valid', async () => {
  const { id, secret } = await newWebhook('Lost');
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.route('**/rotate-secret', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const rotate = async () => {
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Rotate now' }).click();
  };
  await rotate();
  await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
  await fixture.takeLogged(1, 'the browser logs the lost response');
  const lost = (await stored('Lost'))?.secret;
  assert.notEqual(lost, secret);
  await page.unroute('**/rotate-secret');
  await rotate();
  const shown = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.equal(shown, lost);
  assert.deepEqual([(await stored('Lost'))?.secret, (await stored('Lost'))?.previous_secret], [lost, secret]);
});

/** Refreshes the deliveries until an element is shown. */
async function refreshUntilSeen(page: Page, expected: Locator): Promise<void> {
  do {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.locator('section [aria-busy="false"]').waitFor();
  } while ((await expected.count()) === 0);
}

test('a token without the scope admin finds no form to add a webhook', async () => {
  const page = await fixture.signedIn('#/webhooks', { scopes: ['read'] });
  await page.getByRole('alert').getByText('Permission denied').waitFor();
  assert.equal(await page.getByText('Add a webhook').count(), 0);
  await fixture.takeLogged(1, 'the browser logs the 403');
});
