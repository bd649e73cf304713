import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import type { OperatorApp } from '../../server/src/features/apps/app-schemas.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, reloadWithoutPast, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
let app: OperatorApp;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  app = await fixture.data.newApp({ name: 'Eventful', status: 'APPROVED' });
  await updateAppAsOperator(fixture.data.registry, commandLine, {
    appId: app.id,
    update: { oauthInfo: { callbackUrl: 'https://evil.example/callback' } },
    ifRevision: undefined,
  });
});
after(() => fixture.close());

const titles = (page: Page) => page.locator('.event-head strong').allTextContents();
const filter = (page: Page) => page.keyboard.press('Enter');

test('every change is listed, newest first, with before and after and links to its objects', async () => {
  const page = await fixture.signedIn('#/events', { scopes: ['read'] });
  await page.getByRole('link', { name: 'Eventful' }).first().waitFor();
  assert.equal((await titles(page))[1], 'App updated');
  const entry = page.locator('.history > li').filter({ hasText: 'App updated' });
  await entry.locator('summary').focus();
  await page.keyboard.press('Enter');
  await entry.getByText('https://evil.example/callback').waitFor();
  await entry.getByRole('link', { name: 'Eventful' }).click();
  await page.getByRole('heading', { name: 'Eventful', level: 1 }).waitFor();
});

test('filters are in the URL, in UTC, and combine', async () => {
  const page = await fixture.signedIn('#/events', { scopes: ['read'], timezoneId: 'Asia/Kolkata' });
  await page.getByLabel('Content contains').fill('evil.EXAMPLE');
  await filter(page);
  await page.waitForURL(/contains=evil\.EXAMPLE/);
  await page.waitForFunction(() => document.querySelectorAll('.event-head').length === 1);
  assert.deepEqual(await titles(page), ['App updated']);
  await page.getByLabel('Content contains').fill('');
  await page.getByLabel('Type').selectOption('All of: Review');
  await page.getByText('More filters').click();
  await page.getByLabel('Until').fill('2999-01-01T05:30:00');
  await filter(page);
  await page.waitForURL(/until=2999-01-01T00%3A00%3A00\.000Z/);
  await page.getByText('App approved', { exact: true }).waitFor();
  assert.deepEqual(await titles(page), ['App approved', 'App submitted']);
  await page.reload();
  await page.getByText('App approved', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Until').inputValue(), '2999-01-01T05:30');
  await page.getByRole('link', { name: 'Show all events' }).click();
  await page.getByText('App created', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Type').inputValue(), '');
});

test('events are found by object id, and an invalid filter is reported at its field', async () => {
  const page = await fixture.signedIn(`#/events?about=${app.developerId}`, { scopes: ['read'] });
  await page.getByText('Developer created', { exact: true }).waitFor();
  assert.deepEqual(await titles(page), ['App created', 'Developer created']);
  // An event of the setup would send the refused request once more.
  await reloadWithoutPast(page);
  await untilLoaded(page);
  await page.goto(`${fixture.address}#/events?appId=no-id`);
  await page.locator('.field-error').waitFor();
  assert.equal(await page.getByLabel('App id').getAttribute('aria-invalid'), 'true');
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 422');
});

test('a search page without matches links to older events, and a long list has pages', async () => {
  for (let at = 0; at < 25; at += 1) await fixture.data.install(app);
  const page = await fixture.signedIn('#/events?type=installation.created', { scopes: ['read'] });
  await page.getByRole('link', { name: 'Older' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.event-head').length === 5);
  await page.getByRole('link', { name: 'Back to the newest' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.event-head').length === 20);
  await page.goto(`${fixture.address}#/events?type=app.purged`);
  await page.getByText('No matching events.').waitFor();
});
