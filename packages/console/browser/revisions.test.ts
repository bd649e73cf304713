import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const rename = (appId: string, name: string) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: { name }, ifRevision: undefined });

test('the revisions of an app are listed, newest first, and compared with the current content', async () => {
  const { registry } = fixture.data;
  const { id } = await fixture.data.newApp({ name: 'As approved', status: 'APPROVED' });
  const linus = await fixture.data.newToken('operator', { name: 'Linus' });
  const caller = { ...commandLine, actor: linus.id };
  await updateAppAsOperator(registry, caller, { appId: id, update: { name: 'As changed' }, ifRevision: undefined });
  const page = await fixture.signedIn(`#/apps/${id}/activity`, { scopes: ['read'] });
  const revisions = page.locator('.revisions > li');
  await page.getByText('Compare or restore a revision').click();
  await revisions.first().getByText('Revision 2').waitFor();
  assert.match((await revisions.nth(0).textContent()) ?? '', /Current.*by Linus.*Changed: Name/);
  assert.match((await revisions.nth(1).textContent()) ?? '', /Revision 1.*Approved/);
  await page.getByText('Compare revision 1 with the current content').click();
  const name = revisions.nth(1).getByRole('region', { name: 'Name', exact: true });
  await name.locator('del').first().waitFor();
  assert.equal(await revisions.nth(1).locator('.compared-fields').first().getByRole('region').count(), 1);
  assert.equal(await page.getByRole('button', { name: /^Revert/ }).count(), 0, 'that takes the scope review');
});

test('who changed a callback is found, and the change undone, with 12 keys from any page', async () => {
  const { id } = await fixture.data.newApp({ name: 'Zephyr', status: 'APPROVED' });
  await fixture.data.install(await getAppAsOperator(fixture.data.registry, id));
  const linus = await fixture.data.newToken('operator', { name: 'Linus' });
  const update = { oauthInfo: { callbackUrl: 'https://elsewhere.example/callback' } };
  await updateAppAsOperator(fixture.data.registry, { ...commandLine, actor: linus.id }, { appId: id, update });
  const page = await fixture.signedIn('#/apps');
  let keys = 0;
  const press = async (...pressed: string[]) => {
    for (const key of pressed) {
      keys += 1;
      await page.keyboard.press(key);
    }
  };
  await page.getByRole('link', { name: 'Zephyr' }).waitFor();
  await press('/', 'z', 'e', 'p');
  await page.getByRole('option', { name: 'Zephyr' }).waitFor();
  await press('ArrowDown', 'Enter');
  await page.getByRole('heading', { name: 'Zephyr', level: 1 }).waitFor();
  await press('u');
  const change = page.getByRole('region', { name: 'Timeline' }).locator('.history > li').first();
  await change.getByText('by Linus').waitFor();
  await change.getByText('https://elsewhere.example/callback').waitFor();
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Revert to revision 1');
  await press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('One workspace has installed this app.').waitFor();
  await dialog.getByRole('region', { name: 'Callback URL' }).locator('del').first().waitFor();
  await assertAccessible(page);
  await press('Tab', 'Enter');
  await page.getByText('Restored revision').waitFor();
  const { oauthInfo, changedSinceApproval } = await getAppAsOperator(fixture.data.registry, id);
  assert.deepEqual([oauthInfo, changedSinceApproval], [{}, false]);
  assert.ok(keys <= 12, `${keys} keys`);
});

test('an app is reverted only if its content is still the one shown, and not during review', async () => {
  const { id } = await fixture.data.newApp({ name: 'One' });
  await rename(id, 'Two');
  const page = await fixture.signedIn(`#/apps/${id}/activity`);
  await page.getByRole('button', { name: 'Revert to revision 1' }).click();
  await rename(id, 'Never seen');
  await page.getByRole('button', { name: 'Revert the content' }).click();
  await page.getByRole('alert').getByText('Someone else has changed this').waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).name, 'Never seen');
  await fixture.takeLogged(1, 'the browser logs the 412');
  await fixture.data.review(id, 'submit');
  await page.reload();
  await page.getByText('Compare or restore a revision').click();
  await page.getByText('Compare revision 1').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Revert/ }).count(), 0);
});
