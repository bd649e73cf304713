import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { getSettings, updateSettings } from '@appregistrar/testkit/calls/settings';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const settings = async () => {
  const { uniqueNames, changesToApproved } = await getSettings(fixture.data.registry);
  return { uniqueNames, changesToApproved };
};
const update = (changes: object) =>
  updateSettings(fixture.data.registry, commandLine, { update: changes, existing: 'hold' });

test('holding changes requires a choice for pending ones, and a confirmation that lists the effects', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const content = { name: 'Changed' };
  await updateAppAsOperator(fixture.data.registry, commandLine, {
    appId: app.id,
    update: content,
    ifRevision: undefined,
  });
  const page = await fixture.signedIn('#/settings');
  assert.equal(await page.getByLabel('Approve them all as they are now.').count(), 0);
  await page.getByLabel('Customers see the approved version').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const existing = page.getByLabel('Hold them: customers see the approved version');
  assert.equal(await existing.evaluate((radio: HTMLInputElement) => radio.validity.valueMissing), true);
  await existing.check();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the settings?' });
  await dialog
    .getByText('Unapproved changes that customers see now are hidden from them until they are approved.')
    .waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await settings()).changesToApproved, 'live');
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Change the settings' }).click();
  await page.getByText('Settings saved.').waitFor();
  assert.equal((await settings()).changesToApproved, 'hold');
  await existing.waitFor({ state: 'detached' });
});

test('settings changed by another client are shown, the choices stay, and saving again overwrites them', async () => {
  await update({ uniqueNames: true, changesToApproved: 'live' });
  const page = await fixture.signedIn('#/settings');
  await page.getByLabel('Several apps may have the same name.').check();
  await update({ changesToApproved: 'hold' });
  const save = async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change the settings' }).click();
  };
  await save();
  const alert = page.getByRole('alert');
  await alert.getByText('Someone else has changed the settings. Yours are not saved.').waitFor();
  await alert.getByText('Customers see the approved version until').waitFor();
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 412');
  assert.deepEqual(await settings(), { uniqueNames: true, changesToApproved: 'hold' });
  assert.ok(await page.getByLabel('Several apps may have the same name.').isChecked());
  await save();
  await page.getByText('Settings saved.').waitFor();
  assert.equal(await alert.count(), 0);
  assert.equal((await settings()).uniqueNames, false);
});

test('names that several apps share are reported at the setting that forbids them', async () => {
  await update({ uniqueNames: false });
  for (let at = 0; at < 2; at += 1) await fixture.data.newApp({ name: 'Shared' });
  const page = await fixture.signedIn('#/settings');
  await page.getByLabel('No two apps may have the same name').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change the settings' }).click();
  await page.getByRole('group', { name: 'App names' }).getByText('Several apps share a name: "shared".').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await fixture.takeLogged(1, 'the browser logs the 409');
});

test('a token with the scope read sees the settings, and cannot change them', async () => {
  await update({ uniqueNames: false });
  const page = await fixture.signedIn('#/settings', { scopes: ['read'] });
  await page.getByRole('main').getByText('Several apps may have the same name.').waitFor();
  assert.equal(await page.getByRole('main').locator('input, button').count(), 0);
});
