import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { updateAppAsOperator } from '../../server/src/registry/apps/update-app-as-operator.ts';
import { commandLine } from '../../server/src/registry/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

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
  const page = await fixture.signedIn(`#/apps/${id}`);
  const card = page.getByRole('article', { name: 'Marketplace card' });
  assert.deepEqual(await card.evaluate((element) => [element.style.backgroundColor, element.style.color]), [
    'rgb(11, 114, 133)',
    'rgb(255, 255, 255)',
  ]);
  assert.match((await card.textContent()) ?? '', /Carded.*In short\..*At length,\non two lines\./s);
  assert.equal(await page.getByRole('note').count(), 0);
  await assertAccessible(page);
  await update(id, { listingInfo: { backgroundColor: '#7b7b7b' } });
  await page.reload();
  assert.match(
    (await page.getByRole('note').textContent()) ?? '',
    /neither dark nor white text .* 4\.5 : 1 on #7b7b7b/,
  );
});

test('content that has changed since the approval is shown beside the approved content', async () => {
  const { id } = await fixture.data.newApp({ name: 'As approved', status: 'APPROVED' });
  const page = await fixture.signedIn(`#/apps/${id}`);
  await page.getByRole('columnheader', { name: 'Current (as approved)' }).waitFor();
  await update(id, { name: 'As changed', oauthInfo: { callbackUrl: 'https://app.example.com/callback' } });
  await page.reload();
  await page.getByRole('heading', { name: 'As changed' }).waitFor();
  const content = page.getByRole('table').first();
  const cells = (label: string) => content.getByRole('row', { name: label }).getByRole('cell').allTextContents();
  assert.deepEqual(await cells('Name'), ['As approved', 'As changed Changed']);
  assert.deepEqual(await cells('Callback URL'), ['None', 'https://app.example.com/callback Changed']);
  assert.deepEqual(await cells('Login URL'), ['None', 'None ']);
  await page.getByText('Changed since approval').waitFor();
  await assertAccessible(page);

  const latest = page.locator('.history > li').filter({ hasText: 'App updated' }).first();
  await latest.waitFor();
  assert.equal(await latest.locator('del').first().textContent(), 'As approved');
  assert.equal(await latest.locator('ins').first().textContent(), 'As changed');
});

test('an installation is disabled and enabled, and the events name the token', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { id, workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`, { scopes: ['read', 'install'] });
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Enable ${workspaceId}` }).click();
  await page.getByRole('button', { name: `Disable ${workspaceId}` }).waitFor();
  const events = (await fixture.data.eventsOf(app.id)).filter(({ subject_id: subject }) => subject === id);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['installation.created', 'installation.disabled', 'installation.enabled'],
  );
  assert.match(events.at(-1)?.actor ?? '', /^token_/);
  await page.getByText('Installation enabled').waitFor();
  await assertAccessible(page);
});

test('a user with only the read scope sees no buttons that change anything', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`, { scopes: ['read'] });
  await page.getByText('Enabled', { exact: true }).waitFor();
  assert.equal(await page.getByRole('main').getByRole('button').count(), 0);
});

test('long lists of installations and changes have independent pages', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  for (let at = 0; at < 25; at += 1) await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`);
  const rows = page.getByRole('region', { name: 'Installations' }).locator('tbody tr');
  const changes = page.locator('.history > li');
  await page
    .getByRole('navigation', { name: 'Pages of the installations' })
    .getByRole('link', { name: 'Next' })
    .click();
  await page.waitForFunction(() => document.querySelectorAll('#installations ~ div tbody tr').length === 5);
  assert.deepEqual([await rows.count(), await changes.count()], [5, 20]);
  await changes.first().getByText('Installation created').waitFor();
  const pages = page.getByRole('navigation', { name: 'Pages of the changes' });
  await pages.getByRole('link', { name: 'Older' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.history > li').length === 9);
  await changes.last().getByText('App created').waitFor();
  assert.equal(await rows.count(), 5);
  await pages.getByRole('link', { name: 'Newer' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.history > li').length === 20);
});

test('an unknown app is reported with the request id', async () => {
  const page = await fixture.signedIn('#/apps/app_00000000000000000000000000');
  const alert = page.getByRole('alert');
  await alert.getByText('No app with this id can be found here. Check the id.').waitFor();
  assert.match((await alert.textContent()) ?? '', /Request [0-9a-f-]{36}/);
  await assertAccessible(page);
  assert.equal(fixture.takeErrors().length, 1, 'the browser logs the 404');
});
