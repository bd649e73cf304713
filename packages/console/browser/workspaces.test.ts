import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createInstallation } from '@appregistrar/testkit/calls/installations';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

/** Two apps in one workspace, and one of them in another. */
async function twoApps() {
  const { data } = fixture;
  const [one, other] = [await data.newApp({ status: 'APPROVED' }), await data.newApp({ status: 'APPROVED' })];
  const { workspaceId } = await data.install(one);
  const userId = data.developer.id;
  await createInstallation(data.registry, commandLine, { appId: other.id, workspaceId, userId });
  const elsewhere = await data.install(one);
  return { one, other, workspaceId, elsewhere };
}

test('a workspace is looked up by its id, and lists the apps installed in it', async () => {
  const { one, other, workspaceId } = await twoApps();
  const page = await fixture.signedIn('#/workspaces', { scopes: ['read'] });
  await page.getByLabel('Workspace id').fill(` ${workspaceId} `);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Workspace', exact: true, level: 1 }).waitFor();
  const rows = page.getByRole('region', { name: 'Installations' }).locator('tbody tr');
  await rows.getByRole('link', { name: one.name, exact: true }).waitFor();
  await rows.getByRole('link', { name: other.name, exact: true }).waitFor();
  assert.equal(await rows.count(), 2);
  assert.equal(await page.getByRole('button', { name: 'Remove every app' }).count(), 0);
});

test('the names of all apps in a list are one request', async () => {
  const { one, other, workspaceId } = await twoApps();
  const page = await fixture.signedIn('', { scopes: ['read'] });
  await untilLoaded(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/operator/v1/apps')) requests.push(new URL(request.url()).search);
  });
  await page.goto(`${fixture.address}#/workspaces/${workspaceId}`);
  for (const { name } of [one, other]) await page.getByRole('link', { name, exact: true }).waitFor();
  const ids = [one.id, other.id].toSorted().map((id) => ['ids', id]);
  assert.deepEqual(requests, [`?${new URLSearchParams([...ids, ['limit', '2']])}`]);
  await page.goto(`${fixture.address}#/installations?userId=${fixture.data.developer.id}`);
  await page.getByText(workspaceId).first().waitFor();
  await page.getByRole('link', { name: other.name, exact: true }).waitFor();
  assert.ok(requests.length <= 2, 'names that are known are not requested again');
});

test('an id that cannot be one of a workspace is reported', async () => {
  const page = await fixture.signedIn('#/workspaces/nothing');
  await page.getByRole('alert').getByText('The value must be a TypeID').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');
});

test('every app is removed from a workspace after a preview of the effects', async () => {
  const { workspaceId, elsewhere } = await twoApps();
  const page = await fixture.signedIn(`#/workspaces/${workspaceId}`, { scopes: ['read', 'install'] });
  await page.getByRole('button', { name: 'Remove every app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove every app' });
  await dialog.getByText('2 installations', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Remove every app permanently' }).click();
  await page.getByText('2 apps are removed.').waitFor();
  await page.getByText('No app is installed in this workspace').waitFor();
  const left = (await rowsOf(fixture.data.registry.storage, 'installations')) as { id: string; workspace_id: string }[];
  assert.ok(left.some(({ id }) => id === elsewhere.id));
  assert.ok(!left.some(({ workspace_id: id }) => id === workspaceId));
});

test('installations are filtered by user, and the URL holds the filter; those of an app in a workspace are in its tab', async () => {
  const { one, other, workspaceId } = await twoApps();
  const page = await fixture.signedIn('#/workspaces', { scopes: ['read'] });
  const rows = page.locator('tbody tr');
  await rows.getByRole('link', { name: other.name, exact: true }).waitFor();
  await page.getByLabel('Installed by (user id)').fill(fixture.data.developer.id);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/#/workspaces?userId=${fixture.data.developer.id}`);
  await page.reload();
  await rows.getByRole('link', { name: other.name, exact: true }).waitFor();
  await page.goBack();
  assert.equal(await page.getByLabel('Installed by (user id)').inputValue(), '');
  await page.getByLabel('Installed by (user id)').fill('nothing');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/userId');
  await fixture.takeLogged(1, 'the browser logs the 422');
  // As a link from before had it.
  await page.goto(`${fixture.address}#/installations?appId=${one.id}&workspaceId=${workspaceId}`);
  await page.getByRole('heading', { name: one.name, level: 1 }).waitFor();
  assert.equal(await page.getByLabel('Workspace id').inputValue(), workspaceId);
  await rows.getByText(workspaceId).waitFor();
  assert.equal(await rows.count(), 1);
});

test('a deleted app is restored, and its page is linked', async () => {
  const { registry } = fixture.data;
  const { id } = await fixture.data.newApp({ name: 'Deleted by mistake' });
  await deleteApp(registry, commandLine, { appId: id });
  const page = await fixture.signedIn(`#/deleted-apps?developerId=${fixture.data.developer.id}`);
  await page.getByRole('button', { name: 'Restore Deleted by mistake' }).click();
  await page.getByText('is restored.').waitFor();
  await page.getByText('No deleted apps can be restored').waitFor();
  assert.equal((await getAppAsOperator(registry, id)).name, 'Deleted by mistake');
  await page.getByRole('link', { name: 'Deleted by mistake' }).click();
  await page.getByRole('heading', { name: 'Deleted by mistake', level: 1 }).waitFor();
});

test('a name that was taken meanwhile is reported at the app to restore', async () => {
  const { id } = await fixture.data.newApp({ name: 'Taken' });
  await deleteApp(fixture.data.registry, commandLine, { appId: id });
  await fixture.data.newApp({ name: 'Taken' });
  const page = await fixture.signedIn('#/deleted-apps');
  await page.getByRole('button', { name: 'Restore Taken' }).click();
  await page.getByRole('row', { name: 'Taken' }).getByRole('alert').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 409');
});
