import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { authenticate } from '../../server/src/features/access/access-token.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const stored = (userId: string) => getDeveloper(fixture.data.registry, userId);

test('a developer is added, and their page opens', async () => {
  const page = await fixture.signedIn('#/developers', { scopes: ['portal'] });
  await page.getByText('Add a developer').click();
  await page.getByLabel('Email address').fill('katherine@example.com');
  await page.getByLabel('First name').fill('Katherine');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Katherine', level: 1 }).waitFor();
  const userId = decodeURIComponent(page.url().split('/').at(-1) ?? '');
  assert.equal((await stored(userId)).email, 'katherine@example.com');
});

test('each validation error is shown at its field, the first of which gets the focus', async () => {
  const page = await fixture.signedIn('#/developers');
  await page.getByText('Add a developer').click();
  await page.getByLabel('Email address').fill('nobody');
  await page.getByLabel('First name').fill('A\u0007da');
  await page.getByRole('button', { name: 'Add' }).click();
  const email = page.getByLabel('Email address');
  await page.locator('[aria-invalid="true"]').first().waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/email');
  assert.equal(await page.getByRole('alert').count(), 0);
  const descriptions = await page
    .locator('[aria-invalid="true"]')
    .evaluateAll((fields) =>
      fields.map(
        (field) =>
          document.getElementById(field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '')?.textContent,
      ),
    );
  assert.equal(descriptions.length, 2);
  assert.ok(descriptions.every(Boolean));
  // A conflict names no pointer. It concerns the id.
  await email.fill('twice@example.com');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('User id').fill(fixture.data.developer.id);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.locator('[aria-invalid="true"]').filter({ hasNot: email }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/id');
  await fixture.takeLogged(2, 'the browser logs the 422 and the 409');
});

test('editing sends only what was edited, and an empty name is removed', async () => {
  const { id: userId } = fixture.data.developer;
  const page = await fixture.signedIn(`#/developers/${userId}`, { scopes: ['portal'] });
  await page.getByText('Edit the developer').click();
  await page.getByLabel('Last name').fill('');
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    page.getByRole('button', { name: 'Save' }).click(),
  ]);
  assert.deepEqual(request.postDataJSON(), { lastName: null });
  await page.getByRole('heading', { name: 'Ada', exact: true, level: 1 }).waitFor();
});

test('what others changed while a form was open is not overwritten unless the user saves again', async () => {
  const { registry, otherDeveloper } = fixture.data;
  const { id: userId } = otherDeveloper;
  const page = await fixture.signedIn(`#/developers/${userId}`, { scopes: ['portal'] });
  await page.getByText('Edit the developer').click();
  await page.getByLabel('First name').fill('Grace');
  const elsewhere = await updateDeveloper(registry, commandLine, { userId, update: { lastName: 'Hopper' } });
  await page.getByRole('heading', { name: 'Hopper', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Your changes are not saved. Save again to apply them to the current version').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 412');
  assert.deepEqual(await stored(userId), elsewhere);
  assert.equal(await page.getByLabel('First name').inputValue(), 'Grace');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor();
  assert.equal(await alert.count(), 0);
  await updateDeveloper(registry, commandLine, { userId, update: { firstName: null, lastName: null } });
});

test('a suspension previews its effects, requires a reason, and can be ended', async () => {
  const app = await fixture.data.newApp({ name: 'Suspended with Ada', status: 'APPROVED' });
  await fixture.data.install(app);
  await fixture.data.newToken('developer');
  const { id: userId } = fixture.data.developer;
  const page = await fixture.signedIn(`#/developers/${userId}`);
  await page.getByRole('button', { name: 'Suspend the developer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend the developer' });
  for (const affected of ['1 app', '1 installation', '1 workspace', '1 token']) {
    await dialog.getByText(affected, { exact: true }).waitFor();
  }
  assert.equal((await stored(userId)).suspendedAt, undefined, 'the preview changes nothing');
  await dialog.getByText('1 app', { exact: true }).click();
  await dialog.getByRole('link', { name: app.id }).waitFor();
  await dialog.getByLabel('Reason').fill('They send customer data elsewhere.');
  await dialog.getByRole('button', { name: 'Suspend the developer' }).click();
  await page.getByText('Developer suspended, with 1 app and 1 installation.').waitFor();
  await page.getByText('They send customer data elsewhere.').waitFor();
  assert.ok((await stored(userId)).suspendedAt);

  await page.getByRole('button', { name: 'End the suspension' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the suspension' }).click();
  await page.getByText('Suspension ended, with 1 app and 1 installation.').waitFor();
  assert.equal((await stored(userId)).suspendedAt, undefined);
});

test('all tokens of a developer are revoked after a preview of their number', async () => {
  const { id: userId } = fixture.data.otherDeveloper;
  const { token } = await fixture.data.newToken('developer', { developerId: userId });
  const page = await fixture.signedIn(`#/developers/${userId}`);
  await page.getByRole('button', { name: 'Revoke all tokens' }).click();
  await page.getByRole('dialog').getByText('1 token', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(await authenticate(fixture.data.registry, token));
  await page.getByRole('button', { name: 'Revoke all tokens' }).click();
  await page.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByText('1 token revoked.').waitFor();
  assert.equal(await authenticate(fixture.data.registry, token), null);
});

test('a developer is erased only once their email address is typed, and the button is gone afterwards', async () => {
  const { id: userId, email } = fixture.data.otherDeveloper;
  const page = await fixture.signedIn(`#/developers/${userId}`);
  await page.getByRole('button', { name: 'Erase the developer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase the developer' });
  const erase = dialog.getByRole('button', { name: 'Erase permanently' });
  const confirmation = dialog.getByLabel(`Type ${email} to confirm`);
  await confirmation.fill('grace@example');
  await erase.click();
  assert.equal(await confirmation.evaluate((field: HTMLInputElement) => field.validity.customError), true);
  assert.equal((await stored(userId)).email, email);
  await confirmation.fill(email);
  await erase.click();
  await page.getByText('Personal data erased.').waitFor();
  await page.getByRole('heading', { name: 'erased@developer.invalid' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Erase the developer' }).count(), 0);
});

test('the apps of a developer are listed in pages', async () => {
  const { id: userId } = fixture.data.developer;
  for (let at = 0; at < 51; at += 1) await fixture.data.newApp();
  const page = await fixture.signedIn(`#/developers/${userId}`, { scopes: ['read'] });
  const apps = page.getByRole('region', { name: 'Apps' }).locator('tbody tr');
  await apps.nth(49).waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
  await page.goBack();
  await apps.nth(49).waitFor();
});
