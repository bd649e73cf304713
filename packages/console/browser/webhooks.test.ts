import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rowsOf } from 'app-registry-testkit/registry/recorded';
import type { Locator, Page } from 'playwright-core';
import type { HookReceiver } from '../../server/src/events/testing/hook-receiver.ts';
import { assertAccessible, type ConsoleFixture } from './console-fixture.ts';
import { HookedFixture } from './hooked-fixture.ts';

let hooked: HookedFixture;
let fixture: ConsoleFixture;
let receiver: HookReceiver;
before(async () => {
  hooked = await HookedFixture.open();
  ({ console: fixture, receiver } = hooked);
});
after(() => hooked.close());

const newWebhook = (name: string, types?: string[]) =>
  hooked.newWebhook(name, { path: `/${name}`, ...(types && { types }) });
const stored = async (name: string) =>
  (await rowsOf(fixture.data.registry.storage, 'webhooks')).find((webhook) => webhook.name === name);

test('a webhook is added, tried, and its deliveries are seen and made again', async () => {
  const page = await fixture.signedIn('#/webhooks');
  await page.getByText('No other system is told of changes yet').waitFor();
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('Address').fill('no address');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('/url').waitFor();
  await assertAccessible(page);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 422');
  await page.getByLabel('Address').fill(receiver.url('/billing'));
  await page.getByLabel('Name, so that you know it again').fill('Billing');
  await page.getByRole('button', { name: 'Add' }).click();
  const secret = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.match(secret ?? '', /^whsec_/);
  await page.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  const row = page.getByRole('row', { name: 'webhook.tested' });
  await untilSeen(page, row.getByText('Delivered'));
  const tests = () =>
    receiver.arrivals.filter(({ path, event }) => `${path} ${event.type}` === '/billing webhook.tested');
  assert.equal(tests().length, 1);
  await assertAccessible(page);
  await row.getByRole('button', { name: 'Redeliver' }).click();
  while (tests().length < 2) await untilSeen(page, row.getByText('Delivered'));
  await page.getByLabel('State').selectOption('Failed');
  await page.getByText('There is no delivery like that.').waitFor();
});

test('a webhook is disabled and enabled, its secret rotated, and it is deleted once that was confirmed', async () => {
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
  await page.getByRole('button', { name: 'Rotate it now' }).click();
  await page.getByText('The secret before signs too until').waitFor();
  const shown = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.deepEqual([(await stored('Mail'))?.secret, (await stored('Mail'))?.previous_secret], [shown, secret]);
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  assert.ok(await stored('Mail'));
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  assert.equal(await stored('Mail'), undefined);
});

test('a webhook gets the events that were chosen, when it is added and when it is changed', async () => {
  const page = await fixture.signedIn('#/webhooks');
  await page.getByText('Add a webhook', { exact: true }).click();
  await page.getByLabel('Address').fill(receiver.url('/chosen'));
  await page.getByLabel('Name, so that you know it again').fill('Chosen');
  await page.getByLabel('these alone').check();
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('/types').waitFor();
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 422');
  await page.getByLabel('app.revoked').check();
  await page.getByLabel('app.approved').check();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('row', { name: 'Chosen' }).getByText('app.approved, app.revoked').waitFor();
  assert.equal((await stored('Chosen'))?.types, 'app.approved app.revoked');

  await page.getByRole('link', { name: 'Chosen' }).click();
  await page.getByText('Change the address, the name or the events').click();
  assert.equal(await page.getByLabel('app.revoked').isChecked(), true);
  await page.getByLabel('app.revoked').uncheck();
  await page.getByLabel('Address').fill('');
  await page.getByLabel('Address').fill(receiver.url('/moved'));
  await page.getByLabel('Name, so that you know it again').fill('Moved');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('heading', { name: 'Moved' }).waitFor();
  const moved = await stored('Moved');
  assert.deepEqual([moved?.types, moved?.url], ['app.approved', receiver.url('/moved')]);
});

test('a change of a webhook sends only what was changed, and tells why it is refused', async () => {
  const { id } = await newWebhook('Shared', ['app.approved']);
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.getByText('Change the address, the name or the events').click();
  await page.getByLabel('Address').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('alert').getByText('/url').waitFor();
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 422');
  await page.getByLabel('Address').fill(receiver.url('/Shared'));
  await page.getByLabel('every event').check();
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.method() === 'PATCH'),
    page.getByRole('button', { name: 'Change', exact: true }).click(),
  ]);
  assert.deepEqual(request.postDataJSON(), { types: null });
  await page.getByText('Every event', { exact: true }).waitFor();
  assert.ok(
    await page
      .locator('summary')
      .first()
      .evaluate((summary) => summary === document.activeElement),
  );
});

test('all deliveries since a time are made again, and it is told how many', async () => {
  const { id } = await newWebhook('Replayed', ['app.created']);
  const { id: appId } = await fixture.data.newApp();
  const arrivals = () =>
    receiver.arrivals.filter(({ path, event }) => path === '/Replayed' && event.appId === appId).length;
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  const row = page.getByRole('row', { name: 'app.created' });
  await untilSeen(page, row.getByText('Delivered'));
  const before = arrivals();
  await page.getByText('Redeliver all since a time').click();
  await page.getByLabel('Queued at this time or later').fill('2999-01-01T00:00');
  await page.getByRole('button', { name: 'Redeliver all' }).click();
  await page.getByText('0 deliveries are made again.').waitFor();
  await page.getByLabel('Queued at this time or later').fill('2020-01-01T00:00');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Redeliver all' }).click();
  await page.getByText('1 delivery is made again.').waitFor();
  await untilSeen(page, row.getByText('Delivered'));
  while (arrivals() === before) await untilSeen(page, row.getByText('Delivered'));
});

test('after a lost answer a secret is rotated once, shown, and the one before goes on signing', async () => {
  const { id, secret } = await newWebhook('Lost');
  const page = await fixture.signedIn(`#/webhooks/${id}`);
  await page.route('**/rotate', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const rotate = async () => {
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Rotate it now' }).click();
  };
  await rotate();
  await page.getByRole('alert').getByText('The registry cannot be reached').waitFor();
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the lost answer');
  const lost = (await stored('Lost'))?.secret;
  assert.notEqual(lost, secret);
  await page.unroute('**/rotate');
  await rotate();
  const shown = await page.getByRole('region', { name: 'The new secret' }).locator('pre').textContent();
  assert.equal(shown, lost);
  assert.deepEqual([(await stored('Lost'))?.secret, (await stored('Lost'))?.previous_secret], [lost, secret]);
});

/** Looks again at the deliveries until they are as they are to become. */
async function untilSeen(page: Page, wanted: Locator): Promise<void> {
  do {
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.locator('section [aria-busy="false"]').waitFor();
  } while ((await wanted.count()) === 0);
}
