import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createToken } from '@appregistrar/testkit/calls/access';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { authenticate, recordTokenUses } from '../../server/src/features/access/access-token.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('a token is created, shown once and copied', async () => {
  const page = await fixture.signedIn('#/tokens', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText('Create a token').click();
  await page.getByLabel('Name (to identify it)').fill('Linus, reviewer');
  await page.getByLabel('review apps').check();
  await page.getByLabel('manage installations').check();
  await page.getByLabel('Days until it expires').fill('30');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByRole('region', { name: 'The new token' });
  const token = (await shown.locator('pre').textContent()) ?? '';
  const holder = await authenticate(fixture.data.registry, token);
  assert.deepEqual([holder?.kinds, holder?.scopes], [['operator'], ['review', 'install']]);
  await shown.getByRole('button', { name: 'Copy' }).click();
  await shown.getByText('Copied.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);
  const row = page.getByRole('row', { name: 'Linus, reviewer' });
  await row.getByText('operator: review, install').waitFor();
  await assertAccessible(page);
  await page.reload();
  await row.waitFor();
  assert.ok(!(await page.content()).includes(token));
});

test('an error on creating a token is shown, and the form keeps its values', async () => {
  const page = await fixture.signedIn('#/tokens');
  await page.getByText('Create a token').click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('group', { name: 'Scopes' }).getByText('An operator token needs at least one scope').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/scopes');
  await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('developer (updates their own apps)');
  await page.getByLabel('Name (to identify it)').fill('Corrected');
  await page.getByRole('combobox', { name: 'Developer', exact: true }).fill('user_00000000000000000000000000');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('No developer has the user id').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === '/developerId');
  assert.equal(await page.getByLabel('Name (to identify it)').inputValue(), 'Corrected');
  await assertAccessible(page);
  await fixture.takeLogged(2, 'the browser logs the 422 and the 404');
  await page.getByRole('combobox', { name: 'Developer', exact: true }).fill(fixture.data.developer.id);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('region', { name: 'The new token' }).waitFor();
});

test('a token is revoked after a confirmation, and stops working', async () => {
  const { token } = await fixture.data.newToken('platform', { name: 'Storefront' });
  const page = await fixture.signedIn('#/tokens');
  const row = page.getByRole('row', { name: 'Storefront' });
  await row.getByRole('button', { name: 'Revoke Storefront' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.ok(await authenticate(fixture.data.registry, token));
  await row.getByRole('button', { name: 'Revoke Storefront' }).click();
  await page.getByRole('button', { name: 'Revoke permanently' }).click();
  await row.getByText('Revoked').waitFor();
  assert.equal(await authenticate(fixture.data.registry, token), null);
  assert.equal(await row.getByRole('button').count(), 0);
});

test('a token is rotated on its page: the new one is shown once, and the old one is accepted until the chosen time', async () => {
  const { registry } = fixture.data;
  const { id, token: old } = await fixture.data.newToken('platform', { name: 'Rotated' });
  const page = await fixture.signedIn(`#/tokens/${id}`);
  await page.getByRole('button', { name: 'Rotate Rotated' }).click();
  await page.getByLabel('The old token stays valid for').selectOption('7 days');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Rotate now' }).click();
  const shown = page.getByRole('region', { name: 'The new token' });
  const token = (await shown.locator('pre').textContent()) ?? '';
  assert.ok((await authenticate(registry, token)) && (await authenticate(registry, old)));
  await page.getByText('Replaced', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Rotate Rotated' }).count(), 0);
  await page.getByRole('link', { name: 'the new token' }).click();
  await shown.waitFor({ state: 'detached' });
  await page.getByText('No recorded use').waitFor();
  assert.ok(!(await page.content()).includes(token));
});

test('the count of a single token is in the singular', async () => {
  const { registry } = fixture.data;
  const { id: developerId } = await createDeveloper(registry, commandLine, { email: 'single@example.com' });
  await createToken(registry, commandLine, { kind: 'developer', developerId });
  const page = await fixture.signedIn(`#/tokens?developerId=${developerId}`);
  await page.getByText('1 token', { exact: true }).waitFor();
});

test('each token shows when it was last used, to the hour', async () => {
  const { registry } = fixture.data;
  const { id } = await fixture.data.newToken('platform', { name: 'Unused' });
  const page = await fixture.signedIn('#/tokens');
  const row = page.getByRole('row', { name: 'Unused' });
  await row.getByText('No recorded use').waitFor();
  await recordTokenUses(registry, new Map([[id, Date.parse('2099-03-01T09:00:00.000Z')]]));
  await page.reload();
  await row.locator('time[datetime="2099-03-01T09:00:00.000Z"]').waitFor();
  assert.equal(await row.getByText('No recorded use').count(), 0);
});

test('tokens are filtered by kind and developer, and one that expires within two weeks is marked', async () => {
  const { developer } = fixture.data;
  await fixture.data.newToken('developer', { name: 'Ends soon', expiresIn: 13 * 86_400 });
  await fixture.data.newToken('developer', { name: 'Ends later', expiresIn: 15 * 86_400 });
  await fixture.data.newToken('platform', { name: 'Of the platform' });
  const page = await fixture.signedIn('#/tokens');
  await page.getByRole('row', { name: 'Of the platform' }).waitFor();
  await page.getByLabel('Kind of token').selectOption('developer');
  await page.getByLabel('User id of its developer').fill(developer.id);
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: 'Of the platform' }).waitFor({ state: 'detached' });
  assert.equal(page.url(), `${fixture.address}#/tokens?kind=developer&developerId=${developer.id}`);
  await page.getByRole('row', { name: 'Ends soon' }).getByText('Expires soon').waitFor();
  await page.getByRole('row', { name: 'Ends later' }).waitFor();
  assert.equal(await page.getByText('Expires soon').count(), 1);
});

test('the page of a token shows the objects changed with it, by name', async () => {
  const app = await fixture.data.newApp({ name: 'Touched', status: 'AWAITING_REVIEW' });
  const { token, id } = await fixture.data.newToken('operator', { name: 'Linus' });
  const reviewer = await fixture.newWindow();
  await reviewer.goto(fixture.address);
  await reviewer.getByLabel('Operator token').fill(token);
  await reviewer.keyboard.press('Enter');
  await reviewer.getByRole('banner').waitFor();
  await reviewer.goto(`${fixture.address}#/apps/${app.id}`);
  await reviewer.getByRole('button', { name: 'Approve' }).click();
  await reviewer.getByText('App approved.').waitFor();
  await reviewer.context().close();

  const page = await fixture.signedIn('#/tokens');
  await page.getByRole('link', { name: 'Linus', exact: true }).click();
  await page.getByRole('heading', { name: 'Linus', level: 1 }).waitFor();
  const row = page.getByRole('region', { name: 'Changes made' }).getByRole('row', { name: 'Touched' });
  await row.getByText('app.approved (1)').waitFor();
  await page.getByText('admin', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Revoke Linus' }).click();
  await page.getByRole('button', { name: 'Revoke permanently' }).click();
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  assert.equal(await authenticate(fixture.data.registry, token), null);

  const reader = await fixture.signedIn(`#/tokens/${id}`, { scopes: ['read'] });
  await reader.getByRole('row', { name: 'Touched' }).getByText('app.approved (1)').waitFor();
});

test('without the admin scope there is no link to the tokens, and their page explains why and offers no form', async () => {
  const page = await fixture.signedIn('#/tokens', { scopes: ['review'] });
  await page.getByRole('alert').getByText('requires a token with the scope "admin"').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Tokens' }).count(), 0);
  assert.equal(await page.getByText('Create a token').count(), 0);
  await fixture.takeLogged(1, 'the browser logs the 403');
});
