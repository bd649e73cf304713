import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import type { OperatorApp } from '../../server/src/features/apps/app-schemas.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';
import { assertReachable } from './keyboard.ts';
import { assertFitsPhone } from './phone.ts';

const longName = `Invoice ${'very '.repeat(16)}long`;
const hebrew = 'חשבונית Invoice';

let fixture: ConsoleFixture;
let app: OperatorApp;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  const oauthInfo = { loginUrl: 'https://login.invoices.example/start' };
  app = await data.newApp({ name: 'Invoice Sync', oauthInfo });
  await data.newApp({ name: longName });
  await data.newApp({ name: hebrew });
  const deleted = await data.newApp({ name: 'Old Invoice' });
  await deleteApp(data.registry, commandLine, { appId: deleted.id });
  for (const name of ['Cedar', 'Alder', 'Birch']) await data.newApp({ name });
});
after(() => fixture.close());

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the registry' });
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: false });
const chosen = (page: Page) => page.locator('[role="option"][aria-selected="true"]').allTextContents();

const isFocused = (element: Element) => element === document.activeElement;

test('the key / opens the search from any page, also for a second text, and the arrow keys and Enter open a result', async () => {
  const page = await fixture.signedIn('#/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('something else');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('invoice s');
  await option(page, 'Invoice Sync').waitFor();
  assert.deepEqual(await chosen(page), []);
  await page.keyboard.press('ArrowDown');
  assert.match(String(await chosen(page)), /^Invoice Sync/);
  const active = await field(page).getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`[id="${active}"]`).getAttribute('role'), 'option');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Invoice Sync', level: 1 }).waitFor();
  assert.ok(page.url().endsWith(`#/apps/${app.id}`));
  assert.equal(await field(page).getAttribute('aria-expanded'), 'false');
});

test('Ctrl K lists the sections, also from within a field; Enter opens what is named exactly, and G with a letter a section', async () => {
  const page = await fixture.signedIn('#/apps');
  await page.getByLabel('Name starts with').focus();
  await page.keyboard.press('Control+K');
  assert.ok(await field(page).evaluate(isFocused));
  await page.getByRole('group', { name: 'Go to' }).getByRole('option', { name: 'Webhooks' }).waitFor();
  assert.deepEqual(await chosen(page), []);
  // The response comes after Enter.
  await page.keyboard.type('INVOICE sync');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Invoice Sync', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('heading', { name: 'Review', level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
});

test('results are grouped by type, show what distinguishes them, and open on a click', async () => {
  const page = await fixture.signedIn('#/overview');
  await field(page).fill('invoices.ex');
  await page.getByRole('group', { name: 'Hosts of apps' }).waitFor();
  await option(page, 'login.invoices.example').click();
  await page.getByRole('link', { name: 'Invoice Sync' }).waitFor();
  assert.ok(page.url().endsWith('#/apps?host=login.invoices.example'));
  await field(page).fill('old inv');
  await page.getByRole('option', { name: 'Old Invoice Deleted' }).click();
  await page.getByRole('navigation', { name: 'Show' }).locator('[aria-current]', { hasText: 'Deleted' }).waitFor();
  await field(page).fill('ada@');
  await page.getByRole('option', { name: 'Ada Lovelace ada@example.com' }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
});

test('Enter without a choice opens the page of all results, which has an address and is left by Back', async () => {
  const page = await fixture.signedIn('#/settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await field(page).fill('invoice');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Old Invoice' }).waitFor();
  assert.ok(page.url().endsWith('#/search?q=invoice'));
  assert.equal(await page.getByRole('searchbox').inputValue(), 'invoice');
  await page.goBack();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.goto(`${fixture.address}#/search?q=nothingtofind`);
  await page.getByText('No results.').waitFor();
});

test('Escape closes the results and keeps the text; leaving the field closes them too', async () => {
  const page = await fixture.signedIn('#/apps');
  await field(page).fill('invoice');
  await option(page, 'Invoice Sync').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('listbox', { name: 'Results' }).isVisible(), false);
  assert.equal(await field(page).inputValue(), 'invoice');
  await page.keyboard.press('ArrowDown');
  await option(page, 'Invoice Sync').waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('listbox', { name: 'Results' }).waitFor({ state: 'hidden' });
});

test('in the review mode the key / leads to the search too', async () => {
  const page = await fixture.signedIn('#/review');
  await page.getByRole('heading', { name: 'Review' }).first().waitFor();
  await page.keyboard.press('/');
  assert.equal(await field(page).evaluate((element) => element === document.activeElement), true);
});

for (const [width, what] of [
  [390, 'a phone'],
  [1_200, 'a wide window'],
] as const) {
  test(`open results and the page of results fit ${what} with long names and other directions, and are accessible`, async () => {
    const page = await fixture.signedIn('#/search?q=invoice', { viewport: { width, height: 740 } });
    await page.getByRole('main').getByText(longName).waitFor();
    await page.getByRole('main').getByText(hebrew).waitFor();
    await assertFitsPhone(page);
    await assertAccessible(page);
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await assertFitsPhone(page);
    await page.evaluate(() => document.documentElement.removeAttribute('dir'));
    await field(page).fill('invoice');
    await option(page, longName).waitFor();
    await page.keyboard.press('ArrowDown');
    await assertFitsPhone(page);
    await assertAccessible(page);
    const list = await page.getByRole('listbox', { name: 'Results' }).boundingBox();
    assert.ok(list && list.x >= 0 && list.x + list.width <= width);
  });
}

test('the keyboard reaches everything on the page of results', async () => {
  const page = await fixture.signedIn('#/search?q=invoice');
  await page.getByRole('main').getByText(longName).waitFor();
  await assertReachable(page);
});

const names = (page: Page) => page.locator('tbody th a').allTextContents();
const header = (page: Page, name: string) => page.getByRole('columnheader', { name });

test('a click on the header of a column sorts the list, in the address, and Back undoes it', async () => {
  const page = await fixture.signedIn('#/apps');
  await page.getByText('6 apps', { exact: true }).waitFor();
  await header(page, 'App').getByRole('link').click();
  await page.locator('[aria-sort="ascending"]').waitFor();
  await page.waitForFunction(() => document.querySelector('tbody th a')?.textContent === 'Alder');
  assert.ok(page.url().endsWith('#/apps?sort=name'));
  await header(page, 'App').getByRole('link').click();
  await page.locator('[aria-sort="descending"]').waitFor();
  await page.waitForFunction((first) => document.querySelector('tbody th a')?.textContent === first, hebrew);
  assert.equal((await names(page)).at(-1), 'Alder');
  await page.goBack();
  await page.locator('[aria-sort="ascending"]').waitFor();
  await page.waitForFunction(() => document.querySelector('tbody th a')?.textContent === 'Alder');
  await assertAccessible(page);
});

test('a filter keeps the order, and the order the filter', async () => {
  const page = await fixture.signedIn('#/tokens?kind=operator');
  await header(page, 'Expires').getByRole('link').click();
  await page.locator('[aria-sort="ascending"]').waitFor();
  assert.ok(page.url().endsWith('#/tokens?kind=operator&sort=expiresAt'));
  await page.getByLabel('Kind of token').selectOption('platform');
  await page.getByText('No matching tokens').waitFor();
  assert.ok(page.url().includes('sort=expiresAt') && page.url().includes('kind=platform'));
});

test('developers and deleted apps are sorted by their columns', async () => {
  const page = await fixture.signedIn('#/developers?sort=-email');
  await page.waitForFunction(() => document.querySelector('tbody th a')?.textContent === 'grace@example.com');
  await header(page, 'Email address').getByRole('link').click();
  await page.waitForFunction(() => document.querySelector('tbody th a')?.textContent === 'Ada Lovelace');
  await page.goto(`${fixture.address}#/deleted-apps?sort=-deletedAt`);
  await page.getByText('1 deleted app').waitFor();
});
