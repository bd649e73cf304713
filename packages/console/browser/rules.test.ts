import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listProtectedNames } from '@appregistrar/testkit/calls/protected-names';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import {
  createReasonTemplate,
  listReasonTemplates,
} from '../../server/src/features/reason-templates/reason-templates.ts';
import { runOperation } from '../../server/src/kernel/operation.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const protectedNames = async () => (await listProtectedNames(fixture.data.registry, {})).items;
const templates = async () =>
  (await runOperation(listReasonTemplates, fixture.data.registry, { caller: commandLine })).items;

test('a host is protected for some developers, listed with them, edited, and removed after a confirmation', async () => {
  const { id: userId } = fixture.data.developer;
  const page = await fixture.signedIn('#/protected-names');
  await page.getByText('No name or host is protected yet').waitFor();
  await page.getByText('Protect a name or a host').click();
  await page.getByLabel('A host: URLs').check();
  await page.getByLabel('Host', { exact: true }).fill('acme.example');
  await page.getByLabel('Who may use it').fill(`${userId}\n`);
  await page.getByLabel('Note for reviewers').fill('A trademark.');
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await page.getByText('acme.example is protected.').waitFor();
  const row = page.getByRole('row', { name: 'acme.example' });
  await row.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  const [stored] = await protectedNames();
  assert.deepEqual([stored?.host, stored?.developerIds, stored?.note], ['acme.example', [userId], 'A trademark.']);
  await row.getByRole('button', { name: 'Edit acme.example' }).click();
  await page.getByRole('dialog').getByLabel('Who may use it').fill('');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await row.getByText('No one').waitFor();
  const [edited] = await protectedNames();
  assert.deepEqual([edited?.host, edited?.developerIds, edited?.note], ['acme.example', [], 'A trademark.']);
  await row.getByRole('button', { name: 'Remove acme.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await protectedNames()).length, 1);
  await row.getByRole('button', { name: 'Remove acme.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop protecting it' }).click();
  await page.getByText('acme.example is no longer protected.').waitFor();
  assert.deepEqual(await protectedNames(), []);
});

test('an unknown developer id among several is reported at their field', async () => {
  const page = await fixture.signedIn('#/protected-names');
  await page.getByText('Protect a name or a host').click();
  await page.getByLabel('Name', { exact: true }).fill('Acme');
  await page.getByLabel('Who may use it').fill(`${fixture.data.developer.id}\nnobody`);
  await page.getByRole('button', { name: 'Protect', exact: true }).click();
  await page.locator('textarea[aria-invalid="true"]').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/developerIds');
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Acme');
  await fixture.takeLogged(1, 'the browser logs the 422');
});

test('a template is added, edited in a dialog and deleted after a confirmation', async () => {
  const page = await fixture.signedIn('#/templates', { scopes: ['review'] });
  await page.getByText('No templates yet').waitFor();
  await page.getByText('Add a template').click();
  await page.getByLabel('Title').fill('Silent');
  await page.getByLabel('Text for the developer').fill('The callback URL\ndoes not respond.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('Added “Silent”.').waitFor();
  await page.getByRole('button', { name: 'Edit Silent' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Silent' });
  await dialog.getByLabel('Code').fill('No code!');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('[name="/code"][aria-invalid="true"]').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
  await dialog.getByLabel('Code').fill('broken_address');
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === 'PATCH'),
    dialog.getByRole('button', { name: 'Save' }).click(),
  ]);
  assert.deepEqual(request.postDataJSON(), { code: 'broken_address' });
  await page.getByText('Saved “Silent”.').waitFor();
  const [stored] = await templates();
  assert.deepEqual([stored?.message, stored?.code], ['The callback URL\ndoes not respond.', 'broken_address']);
  await page.getByRole('button', { name: 'Delete Silent' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Deleted “Silent”.').waitFor();
  assert.deepEqual(await templates(), []);
});

test('Escape closes the dialog of a form without a change, and returns the focus to its button', async () => {
  await runOperation(createReasonTemplate, fixture.data.registry, {
    caller: commandLine,
    body: { title: 'Kept', message: 'As it is.' },
  });
  const page = await fixture.signedIn('#/templates');
  const edit = page.getByRole('button', { name: 'Edit Kept' });
  await edit.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Title').fill('Changed');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.ok(await edit.evaluate((button) => button === document.activeElement));
  assert.equal((await templates())[0]?.title, 'Kept');
});
