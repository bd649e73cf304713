import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { listApps } from '../../server/src/registry/apps/list-apps.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

describe('a developer', () => {
  test('is found by name and chosen with the keyboard, and an app is created for them', async () => {
    const { userId, email } = fixture.data.developer;
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
    assert.equal(await field.inputValue(), fixture.data.otherDeveloper.userId);
  });

  test('is recognised by an id that is entered, and Escape closes the list but not the dialog', async () => {
    const { userId, email } = fixture.data.developer;
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

  test('filters the queue once chosen', async () => {
    const { otherDeveloper } = fixture.data;
    await fixture.data.newApp({ name: 'Of Ada', status: 'AWAITING_REVIEW' });
    await fixture.data.newApp({ name: 'Of Grace', status: 'AWAITING_REVIEW', developerId: otherDeveloper.userId });
    const page = await fixture.signedIn('#/review');
    await page.getByRole('link', { name: 'Of Ada' }).waitFor();
    await page.getByText('Filter and sort').click();
    await page.getByRole('combobox', { name: 'Developer' }).fill('grace');
    await page.getByRole('listbox', { name: 'Developers' }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Of Ada' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Of Grace' }).waitFor();
    await page.getByText(otherDeveloper.email).first().waitFor();
  });
});

async function newAppDialog(): Promise<Page> {
  const page = await fixture.signedIn('#/apps', { scopes: ['portal'] });
  await page.getByRole('button', { name: 'Create an app' }).first().click();
  return page;
}
