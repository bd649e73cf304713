import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { newId } from '../../server/src/kernel/ids.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, reloadWithoutPast, untilLoaded } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const update = (appId: string, content: object) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: content, ifRevision: undefined });

test('the card shows the app as a marketplace does, with readable text on its colour', async () => {
  const { id } = await fixture.data.newApp({
    name: 'Carded',
    listingInfo: {
      backgroundColor: '#0b7285',
      shortDescription: 'In short.',
      longDescription: 'At length,\non two lines.',
    },
  });
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  const card = page.getByRole('article', { name: 'Marketplace card' });
  assert.deepEqual(await card.evaluate((element) => [element.style.backgroundColor, element.style.color]), [
    'rgb(11, 114, 133)',
    'rgb(255, 255, 255)',
  ]);
  assert.match((await card.textContent()) ?? '', /Carded.*In short\..*At length,\non two lines\./s);
  assert.equal(await page.getByText('Hard to read').count(), 0);
  await update(id, { listingInfo: { backgroundColor: '#7b7b7b' } });
  await page.reload();
  await page.getByText(/neither dark nor white text .* 4\.5 : 1 on #7b7b7b/).waitFor();
});

test('the parts of an app are tabs with URLs, reached by the keyboard', async () => {
  const app = await fixture.data.newApp({ name: 'Tabbed', status: 'APPROVED' });
  await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`);
  const tabs = page.getByRole('navigation', { name: 'Parts of the app' });
  const current = tabs.locator('[aria-current="page"]');
  await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  assert.equal(await current.textContent(), 'Review');
  await current.focus();
  for (const [name, heading] of [
    ['Listing', 'New logo'],
    ['Installations 1', 'Installations (1)'],
    ['Activity', 'Timeline'],
  ] as const) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    assert.equal(await current.textContent(), name);
    assert.ok(await current.evaluate((link) => link === document.activeElement), 'the focus stays');
  }
  assert.equal(page.url(), `${fixture.address}#/apps/${app.id}/activity`);
  await page.goBack();
  await page.getByRole('heading', { name: 'Installations (1)' }).waitFor();
  await page.goto(`${fixture.address}#/apps/${app.id}/nothing`);
  await page.getByText('no page at this address').waitFor();
});

test('content that has changed since the approval is shown beside the approved content', async () => {
  const { id } = await fixture.data.newApp({ name: 'As approved', status: 'APPROVED' });
  await update(id, { name: 'As changed', oauthInfo: { callbackUrl: 'https://app.example.com/callback' } });
  const page = await fixture.signedIn(`#/apps/${id}`);
  await page.getByText('Changed since approval').waitFor();
  const name = page.getByRole('region', { name: 'Name', exact: true });
  await name.locator('del').first().waitFor();
  await name.locator('ins').first().waitFor();
  await page.getByRole('region', { name: 'Callback URL' }).getByText('Added').waitFor();
});

test('the activity tab shows content changes first, all events on request, and the name of who made each', async () => {
  const app = await fixture.data.newApp({ name: 'Active', status: 'APPROVED' });
  await fixture.data.install(app);
  const token = await fixture.data.newToken('operator', { name: 'Portal of Ada' });
  await updateAppAsOperator(
    fixture.data.registry,
    { actor: token.id, requestId: '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11' },
    { appId: app.id, update: { listingInfo: { shortDescription: 'Given.' } }, ifRevision: undefined },
  );
  await update(app.id, { listingInfo: { shortDescription: null } });
  const page = await fixture.signedIn(`#/apps/${app.id}/activity`, { scopes: ['read'] });
  const changes = page.getByRole('region', { name: 'Timeline' }).locator('.history > li');
  await changes.nth(2).waitFor();
  assert.deepEqual(await changes.locator('strong').allTextContents(), ['App updated', 'App updated', 'App created']);
  const [removed, given, created] = await Promise.all([0, 1, 2].map((at) => changes.nth(at).textContent()));
  assert.match(removed ?? '', /Short description.*Given\..*removed/);
  assert.match(given ?? '', /by Portal of Ada.*Short descriptionGiven\./);
  assert.match(created ?? '', /Long descriptionempty/);
  assert.doesNotMatch(created ?? '', /removed/);
  await page.getByRole('link', { name: 'Everything' }).click();
  await page.getByText('Installation created').waitFor();
  assert.equal(page.url(), `${fixture.address}#/apps/${app.id}/activity?show=all`);
  await page.getByRole('link', { name: 'Review', exact: true }).last().click();
  await page.getByText('App approved').waitFor();
  await page.getByText('Installation created').waitFor({ state: 'detached' });
});

test('the head of an app shows its logo, its developer by name and how many workspaces have it', async () => {
  const app = await fixture.data.newApp({ name: 'Headed', status: 'APPROVED' });
  await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`);
  const head = page.locator('.about-app');
  await head.getByRole('link', { name: '1 workspace' }).waitFor();
  const { firstName, lastName, email } = fixture.data.developer;
  const developer = firstName || lastName ? [firstName, lastName].join(' ').trim() : email;
  await head.getByRole('link', { name: developer }).waitFor();
  await head.locator('.logo').waitFor();
});

test('the list of the installations of an app is requested once', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  await fixture.data.install(app);
  const page = await fixture.signedIn('#/apps');
  // The installation would be a change that follows.
  await reloadWithoutPast(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/operator/v1/installations') requests.push(request.url());
  });
  await page.goto(`${fixture.address}#/apps/${app.id}/installations`);
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  await untilLoaded(page);
  assert.equal(requests.length, 1);
});

test('an installation is disabled and enabled, and the events name the token', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { id, workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}/installations`, { scopes: ['read', 'install'] });
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Enable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).waitFor();
  const events = (await fixture.data.eventsOf(app.id)).filter(({ subject_id: subject }) => subject === id);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['installation.created', 'installation.disabled', 'installation.enabled'],
  );
  assert.match(events.at(-1)?.actor ?? '', /^token_/);
  await assertAccessible(page);
});

test('an app is installed, found by state and workspace, and removed after a preview of the effects', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { workspaceId: other } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}/installations`, { scopes: ['read', 'install'] });
  const workspaceId = newId('workspace');
  await page.getByRole('button', { name: 'Install into a workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Workspace id').fill('no id');
  await dialog.getByLabel('User id of the installer').fill(newId('user'));
  await page.keyboard.press('Enter');
  await dialog.locator('.field-error').waitFor();
  await dialog.getByLabel('Workspace id').fill(workspaceId);
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByText(`The app is installed in ${workspaceId}.`).waitFor();
  await fixture.takeLogged(1, 'the browser logs the 422');

  const rows = page.getByRole('region', { name: /^Installations/ }).locator('tbody tr');
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Enable ${workspaceId}` }).waitFor();
  await page.getByLabel('State').selectOption('Disabled');
  await page.waitForURL(/state=disabled/);
  await rows.filter({ hasText: other }).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 1);
  await page.getByLabel('State').selectOption('Any');
  await page.getByRole('searchbox', { name: 'Workspace id' }).fill(other);
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: other }).waitFor();
  await rows.filter({ hasText: workspaceId }).waitFor({ state: 'detached' });
  assert.equal(await rows.count(), 1);

  await page.getByRole('button', { name: `Delete ${other}` }).click();
  await page.getByText('1 installation', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete the installation' }).click();
  await page.getByText('No matching installations.').waitFor();
  await page.getByRole('link', { name: 'Show all installations' }).click();
  await rows.filter({ hasText: workspaceId }).waitFor();
});

test('an operator edits the content, and an error is shown at the field that it concerns', async () => {
  const { id } = await fixture.data.newApp({ name: 'To edit', listingInfo: { shortDescription: 'Goes.' } });
  const page = await fixture.signedIn(`#/apps/${id}/listing`, { scopes: ['portal'] });
  await page.getByText('Edit the content').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Edited');
  await page.getByRole('textbox', { name: 'Short description' }).fill('');
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('ftp://example.com/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.field-error').waitFor();
  const field = page.getByRole('textbox', { name: 'Callback URL' });
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.ok(await field.evaluate((element) => element === document.activeElement));
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 422');
  await field.fill('https://example.com/callback');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Edited', level: 1 }).waitFor();
  const { name, listingInfo, oauthInfo } = await getAppAsOperator(fixture.data.registry, id);
  assert.deepEqual(
    [name, listingInfo.shortDescription, oauthInfo.callbackUrl],
    ['Edited', undefined, 'https://example.com/callback'],
  );
});

test('an app is deleted after a preview of the effects, and restored', async () => {
  const app = await fixture.data.newApp({ name: 'To delete', status: 'APPROVED' });
  await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}/listing`);
  const open = page.getByRole('button', { name: 'Delete the app' });
  await open.click();
  await page.getByText('1 installation', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  assert.ok(await open.evaluate((button) => button === document.activeElement));
  await open.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the app' }).click();
  assert.equal(
    (await getAppAsOperator(fixture.data.registry, app.id)).name,
    'To delete',
    'its installations forbid it',
  );
  await page.getByLabel('Remove the app from every workspace').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the app' }).click();
  await page.getByText('The app is deleted.').waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore the app' }).click();
  await page.getByRole('heading', { name: 'New logo' }).waitFor();
  const { installationCount } = await getAppAsOperator(fixture.data.registry, app.id);
  assert.equal(installationCount, 0);
  // The page may look for the app once more while it is deleted.
  fixture.takeErrors();
});

test('the id of an app is copied', async () => {
  const { id } = await fixture.data.newApp();
  const page = await fixture.signedIn(`#/apps/${id}`, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: `Copy ${id}` }).click();
  await page.getByText('Copied.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), id);
});

test('a user with only the read scope sees no buttons that change anything', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`, { scopes: ['read'] });
  for (const [tab, heading, buttons] of [
    ['review', 'Decisions', [`Copy ${app.id}`]],
    ['listing', 'Content', [`Copy ${app.id}`]],
    ['installations', 'Installations (1)', [`Copy ${app.id}`, `Copy ${workspaceId}`]],
    ['activity', 'Timeline', [`Copy ${app.id}`]],
  ] as const) {
    await page.goto(`${fixture.address}#/apps/${app.id}/${tab}`);
    await page.getByRole('heading', { name: heading }).waitFor();
    await untilLoaded(page);
    const names = await page
      .getByRole('main')
      .getByRole('button')
      .evaluateAll((all) => all.map((button) => button.ariaLabel ?? button.textContent));
    assert.deepEqual(names, buttons, tab);
    assert.equal(await page.getByText(/^(Edit the content|Transfer to another developer)$/).count(), 0);
  }
});

test('long lists of changes and revisions have independent pages', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  for (let at = 0; at < 25; at += 1) await fixture.data.install(app);
  for (let at = 0; at < 21; at += 1) await update(app.id, { name: `Long list ${at}` });
  const page = await fixture.signedIn(`#/apps/${app.id}/activity?show=all`);
  const changes = page.locator('.history > li');
  const revisions = page.locator('.revisions > li');
  await page.getByText('Compare or restore a revision').click();
  await page.getByRole('navigation', { name: 'Pages of the revisions' }).getByRole('link', { name: 'Older' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.revisions > li').length === 2);
  assert.equal(await changes.count(), 20);
  const pages = page.getByRole('navigation', { name: 'Pages of the changes' });
  await pages.getByRole('link', { name: 'Older' }).click();
  await pages.getByRole('link', { name: 'Newer' }).waitFor();
  assert.equal(await revisions.count(), 2);
  await pages.getByRole('link', { name: 'Newer' }).click();
  await pages.getByRole('link', { name: 'Newer' }).waitFor({ state: 'detached' });
  assert.deepEqual([await changes.count(), await revisions.count()], [20, 2]);
});

test('an unknown app is reported with the request id', async () => {
  const page = await fixture.signedIn('#/apps/app_00000000000000000000000000');
  const alert = page.getByRole('alert');
  await alert.getByText('No app with this id was found. Check the id.').waitFor();
  assert.match((await alert.textContent()) ?? '', /Request [0-9a-f-]{36}/);
  await assertAccessible(page);
  await fixture.takeLogged(1, 'the browser logs the 404');
});
