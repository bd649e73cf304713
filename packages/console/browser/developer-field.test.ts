import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { listApps } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

describe('a developer', () => {
  test('is found by name and chosen with the keyboard, and an app is created for them', async () => {
    const { id: userId, email } = fixture.data.developer;
    const page = await newAppDialog();
    await page.getByRole('dialog').getByLabel('App name').fill('Analytical Engine');
    const field = page.getByRole('combobox', { name: 'Developer' });
    const options = page.getByRole('listbox', { name: 'Developers' }).getByRole('option');
    await field.pressSequentially('lovel');
    const option = options.filter({ hasText: 'Ada Lovelace' });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
    await assertAccessible(page);
    await page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), userId);
    await page.getByText(`Ada Lovelace, ${email}`).waitFor();
    await option.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Analytical Engine', level: 1 }).waitFor();
    const apps = await listApps(fixture.data.registry, { name: 'Analytical' });
    assert.deepEqual(
      apps.items.map(({ developerId }) => developerId),
      [userId],
    );
  });

  test('is found by email address and chosen with the mouse', async () => {
    const page = await newAppDialog();
    const field = page.getByRole('combobox', { name: 'Developer' });
    const options = page.getByRole('listbox', { name: 'Developers' }).getByRole('option');
    await field.fill('example.com');
    await options.nth(1).waitFor();
    await page.keyboard.press('ArrowUp');
    assert.equal(await options.nth(1).getAttribute('aria-selected'), 'true');
    await options.filter({ hasText: fixture.data.otherDeveloper.email }).click();
    assert.equal(await field.inputValue(), fixture.data.otherDeveloper.id);
  });

  test('is recognised by an id that is entered, and Escape closes the list but not the dialog', async () => {
    const { id: userId, email } = fixture.data.developer;
    const page = await newAppDialog();
    const field = page.getByRole('combobox', { name: 'Developer' });
    const options = page.getByRole('listbox', { name: 'Developers' }).getByRole('option');
    await field.fill(userId);
    await page.getByText(`Ada Lovelace, ${email}`).waitFor();
    await field.fill('ada');
    await options.waitFor();
    await page.keyboard.press('Escape');
    await options.waitFor({ state: 'detached' });
    assert.ok(await page.getByRole('dialog').isVisible());
    assert.equal(await field.inputValue(), 'ada');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('is not chosen by Enter as long as only an earlier text has found them', async () => {
    const page = await newAppDialog();
    const field = page.getByRole('combobox', { name: 'Developer' });
    await field.fill('ada');
    await page.getByRole('listbox', { name: 'Developers' }).getByRole('option').waitFor();
    const { promise: entered, resolve: respond } = Promise.withResolvers<void>();
    await page.route('**/search?**', async (route) => {
      await entered;
      await route.continue();
    });
    await field.fill('grace');
    await page.keyboard.press('Enter');
    respond();
    await page.getByRole('option', { name: fixture.data.otherDeveloper.email }).waitFor();
    assert.equal(await field.inputValue(), 'grace');
    await page.keyboard.press('Enter');
    assert.equal(await field.inputValue(), fixture.data.otherDeveloper.id);
  });

  test('who is not found, or whose search fails, is reported, and arrows open a closed list again', async () => {
    const page = await newAppDialog();
    const field = page.getByRole('combobox', { name: 'Developer' });
    await field.fill('unknown');
    await page.getByText('No developer found.').waitFor();
    await assertAccessible(page);
    await field.fill('ada');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Ada Lovelace' }).waitFor();
    await page.route('**/search?**', (route) => route.abort());
    await field.fill('grace');
    await page.getByRole('dialog').getByText('No connection').waitFor();
    fixture.takeErrors();
  });

  test('filters the queue once chosen, keeps the focus, and no longer filters once cleared', async () => {
    const { otherDeveloper } = fixture.data;
    await fixture.data.newApp({ name: 'Of Ada', status: 'AWAITING_REVIEW' });
    await fixture.data.newApp({ name: 'Of Grace', status: 'AWAITING_REVIEW', developerId: otherDeveloper.id });
    const page = await fixture.signedIn('#/review');
    await page.getByRole('link', { name: 'Of Ada' }).waitFor();
    await page.getByText('Filter and sort').click();
    await page.getByRole('combobox', { name: 'Developer' }).fill('grace');
    await page.getByRole('listbox', { name: 'Developers' }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Of Ada' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Of Grace' }).waitFor();
    const field = page.getByRole('combobox', { name: 'Developer' });
    await page.getByRole('status').getByText(otherDeveloper.email).waitFor();
    assert.equal(await field.inputValue(), otherDeveloper.id);
    assert.ok(await field.evaluate((input) => input === document.activeElement));
    await field.fill('');
    await page.getByRole('link', { name: 'Of Ada' }).waitFor();
    assert.ok(page.url().endsWith('#/review'), page.url());
    await field.fill(otherDeveloper.id);
    await page.getByRole('link', { name: 'Of Ada' }).waitFor({ state: 'detached' });
    await page.goto(`${fixture.address}#/review`);
    await page.getByRole('link', { name: 'Of Ada' }).waitFor();
    assert.equal(await field.inputValue(), '');
    assert.equal(await page.getByRole('status').getByText(otherDeveloper.email).count(), 0);
  });
});

async function newAppDialog(): Promise<Page> {
  const page = await fixture.signedIn('#/apps', { scopes: ['portal'] });
  await page.getByRole('button', { name: 'Create an app' }).first().click();
  return page;
}
