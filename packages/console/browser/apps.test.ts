import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, listApps, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createDeveloper, listDevelopers } from '@appregistrar/testkit/calls/developers';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page, Request } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const names = (page: Page) => page.locator('tbody a').allTextContents();
/** Waits until the list shows these apps. */
async function listed(page: Page, expected: string[]): Promise<void> {
  await page.waitForFunction(
    (expectedJson) =>
      JSON.stringify([...document.querySelectorAll('tbody a')].map((a) => a.textContent)) === expectedJson,
    JSON.stringify(expected),
  );
}

test('the first app of an empty registry is created on the page, with its developer', async () => {
  const reader = await fixture.signedIn('#/apps', { scopes: ['read'] });
  await reader.getByText('No apps yet').waitFor();
  assert.equal(await reader.getByRole('main').getByRole('button').count(), 0);
  await createWebhook(fixture.data.registry, commandLine, { url: 'https://hooks.example.com/' });
  const page = await fixture.signedIn('#/apps');
  await page.getByText('No apps yet').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Add a webhook' }).getByText('(done)').waitFor();
  assert.equal(await page.getByText('(done)').count(), 1);
  await assertAccessible(page);
  await page.getByLabel('App name').fill(' ');
  await page.getByLabel('Email address of the developer').fill('first@example.com');
  await page.keyboard.press('Enter');
  await page.locator('.field-error').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
  await page.getByLabel('App name').fill('The first');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The first', level: 1 }).waitFor();
  const { items } = await listDevelopers(fixture.data.registry, {});
  const [created, ...others] = items.filter(({ email }) => email === 'first@example.com');
  assert.deepEqual(others, [], 'the second try did not create the developer again');
  const { items: apps } = await listApps(fixture.data.registry, {});
  assert.deepEqual(
    apps.map(({ name, developerId }) => [name, developerId]),
    [['The first', created?.id]],
  );
  // A page of an app that has been deleted looks for it.
  await page.context().close();
  await deleteApp(fixture.data.registry, commandLine, { appId: apps[0]?.id ?? '' });
});

test('an app is created for a developer of the registry', async () => {
  const app = await fixture.data.newApp({ name: 'Before it' });
  const page = await fixture.signedIn('#/apps', { scopes: ['portal'] });
  await page.getByRole('button', { name: 'Create an app' }).click();
  await page.getByLabel('App name').fill('before IT');
  await page.getByRole('combobox', { name: 'Developer' }).fill(app.developerId);
  await page.keyboard.press('Enter');
  await page.locator('.field-error').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 409');
  await page.getByLabel('App name').fill('After it');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'After it', level: 1 }).waitFor();
  await page.context().close();
  for (const { id } of (await listApps(fixture.data.registry, {})).items)
    await deleteApp(fixture.data.registry, commandLine, { appId: id });
});

test('each app has a summary, and its name links to its page', async () => {
  const app = await fixture.data.newApp({ name: 'Invoice Sync', status: 'APPROVED' });
  await fixture.data.install(app);
  await fixture.data.newApp({ name: 'Invoice Draft' });
  await fixture.data.newApp({ name: 'Standup Notes', status: 'AWAITING_REVIEW' });
  const changed = await fixture.data.newApp({ name: 'Changed', status: 'APPROVED' });
  const update = { listingInfo: { shortDescription: 'Other than was approved.' } };
  await updateAppAsOperator(fixture.data.registry, commandLine, { appId: changed.id, update, ifRevision: undefined });

  const page = await fixture.signedIn('#/apps');
  const row = page.getByRole('row', { name: 'Invoice Sync' });
  await row.getByText('Ada Lovelace').waitFor();
  assert.match((await row.textContent()) ?? '', /Approved.*Ada Lovelace.*1/);
  assert.equal(await row.locator('time').getAttribute('datetime'), app.updatedAt);
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: 'Invoice Sync', level: 1 }).waitFor();
  await page.goBack();
  await listed(page, ['Invoice Sync', 'Invoice Draft', 'Standup Notes', 'Changed']);
});

test('a developer is requested once, however many apps they have', async () => {
  const page = await fixture.newWindow();
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.includes('/developers')) requested.push(pathname);
  });
  await page.goto(`${fixture.address}#/apps`);
  await page.getByLabel('Operator token').fill((await fixture.data.newToken('operator')).token);
  await page.keyboard.press('Enter');
  await page.getByRole('row').getByText('Ada Lovelace').nth(3).waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('row').getByText('Ada Lovelace').nth(3).waitFor();
  assert.equal(requested.length, 1, requested.join());
});

test('apps are filtered by name as it is typed, by status and by change, and the URL stores the filter', async () => {
  const page = await fixture.signedIn('#/apps');
  await page.getByLabel('Name starts with').pressSequentially('INV');
  await listed(page, ['Invoice Draft', 'Invoice Sync']);
  await page.getByLabel('Status').selectOption('Approved');
  await listed(page, ['Invoice Sync']);
  await page.reload();
  await listed(page, ['Invoice Sync']);
  assert.equal(await page.getByLabel('Name starts with').inputValue(), 'INV');
  await page.getByLabel('Name starts with').fill('');
  await listed(page, ['Invoice Sync', 'Changed']);
  await page.getByLabel('Since approval').selectOption('Changed');
  await listed(page, ['Changed']);
  await page.getByLabel('Name starts with').fill('nothing');
  await page.getByText('No matching apps').waitFor();
  await page.getByRole('link', { name: 'Show all apps' }).click();
  await listed(page, ['Invoice Sync', 'Invoice Draft', 'Standup Notes', 'Changed']);
  assert.equal(await page.getByLabel('Name starts with').inputValue(), '');
});

test('a filter that is chosen while a name is being typed combines with the name', async () => {
  const page = await fixture.signedIn('#/apps', { isNew: true });
  await page.clock.install();
  await page.getByLabel('Name starts with').fill('inv');
  await page.getByLabel('Status').selectOption('Approved');
  await page.clock.runFor(1_000);
  await listed(page, ['Invoice Sync']);
  assert.equal(page.url(), `${fixture.address}#/apps?name=inv&status=APPROVED`);
});

test('more apps than fit on a page are shown in pages, forwards and backwards', async () => {
  for (let at = 0; at < 100; at += 1) await fixture.data.newApp({ name: `Many ${String(at).padStart(2, '0')}` });
  const page = await fixture.signedIn('#/apps?name=many');
  const pages = [0, 50].map((from) =>
    Array.from({ length: 50 }, (_, at) => `Many ${String(from + at).padStart(2, '0')}`),
  );
  await listed(page, pages[0] ?? []);
  assert.equal(await page.getByRole('link', { name: 'Previous' }).count(), 0);
  await page.getByRole('link', { name: 'Next' }).click();
  await listed(page, pages[1] ?? []);
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0);
  await page.getByRole('link', { name: 'Previous' }).click();
  await listed(page, pages[0] ?? []);
  await page.goBack();
  await listed(page, pages[1] ?? []);
});

test('a new page starts at its top, and Back returns to where the reader was', async () => {
  for (let at = 0; at < 60; at += 1) await fixture.data.newApp({ name: `Long ${at}` });
  const page = await fixture.signedIn('#/apps?name=long');
  const top = () => page.evaluate(() => Math.round(scrollY));
  await page.getByRole('link', { name: 'Long 40' }).scrollIntoViewIfNeeded();
  const before = await top();
  assert.ok(before > 0);
  await page.getByRole('link', { name: 'Long 40' }).click();
  await page.getByRole('heading', { name: 'Long 40', level: 1 }).waitFor();
  assert.equal(await top(), 0);
  await page.goBack();
  await page.getByRole('link', { name: 'Long 40' }).waitFor();
  await page.waitForFunction((position) => Math.round(scrollY) === position, before);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Long 59' }).waitFor();
  assert.equal(await top(), 0);
});

test('a request whose result is no longer needed is cancelled', async () => {
  const page = await fixture.signedIn('#/apps');
  const search = page.getByLabel('Name starts with');
  await page.route('**/operator/v1/apps?name=unwanted*', () => {});
  const isUnwanted = (request: Request) => request.url().includes('?name=unwanted');
  const [cancelled] = await Promise.all([
    page.waitForEvent('requestfailed', isUnwanted),
    page.waitForRequest(isUnwanted).then(() => search.fill('inv')),
    search.fill('unwanted'),
  ]);
  assert.equal(cancelled.failure()?.errorText, 'net::ERR_ABORTED');
  await listed(page, ['Invoice Draft', 'Invoice Sync']);
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('a failed request is shown with what to do, and can be retried', async () => {
  const page = await fixture.signedIn('#/apps', { isNew: true });
  await page.getByRole('table').waitFor();
  await page.route('**/operator/v1/apps?*', (route) => route.abort());
  await page.getByLabel('Name starts with').fill('inv');
  await page.getByText('The registry cannot be reached').waitFor();
  await assertAccessible(page);
  await page.unroute('**/operator/v1/apps?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await listed(page, ['Invoice Draft', 'Invoice Sync']);
  assert.ok(fixture.takeErrors().every((error) => error.includes('ERR_FAILED')));
  assert.deepEqual(await names(page), ['Invoice Draft', 'Invoice Sync']);
});

test('a page that cannot be rendered shows an error, and the others still work', async () => {
  const page = await fixture.signedIn('#/review');
  await page.getByRole('heading', { name: 'Review' }).waitFor();
  // No response of this release looks like this.
  const items = [
    { id: 'app_x', name: 'From the future', updatedAt: 'soon', reviewStatus: 'DRAFT', installationCount: 1 },
  ];
  await page.route('**/operator/v1/apps?*', (route) => route.fulfill({ json: { items } }));
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('alert').getByText('The console failed').waitFor();
  await page.unroute('**/operator/v1/apps?*');
  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('heading', { name: 'Review' }).waitFor();
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByRole('link', { name: 'Invoice Sync' }).waitFor();
});

test('the list of apps is as wide as a window of any width', async () => {
  const { data } = fixture;
  const firstName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2);
  const { id: developerId } = await createDeveloper(data.registry, commandLine, {
    email: 'w@example.com',
    firstName,
  });
  const { id: appId } = await data.newApp({ developerId, name: `Wide ${'w'.repeat(60)}`, status: 'APPROVED' });
  const update = { listingInfo: { shortDescription: 'Changed.' } };
  await updateAppAsOperator(data.registry, commandLine, { appId, update, ifRevision: undefined });
  const page = await fixture.signedIn('#/apps?name=Wide');
  await page.getByText(firstName).waitFor();
  for (const width of [320, 705, 1_023, 1_024, 1_279, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${width} pixels`);
  }
});
