import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { authenticate } from '../../server/src/registry/tokens/authenticate.ts';
import { recordTokenUses } from '../../server/src/registry/tokens/record-token-uses.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('a token is issued, shown once and copied', async () => {
  const page = await fixture.signedIn('#/tokens', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByText('Issue a token').click();
  await page.getByLabel('Name (to identify it)').fill('Linus, reviewer');
  await page.getByLabel('review apps').check();
  await page.getByLabel('manage installations').check();
  await page.getByLabel('Days until it expires').fill('30');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
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

test('an error on issuing a token is shown, and the form keeps its values', async () => {
  const page = await fixture.signedIn('#/tokens');
  await page.getByText('Issue a token').click();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('alert').getByText('An operator token needs its scopes').waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('developer (updates their own apps)');
  await page.getByLabel('Name (to identify it)').fill('Corrected');
  await page.getByLabel('User id of the developer').fill('user_00000000000000000000000000');
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('alert').getByText('No developer has the user id').waitFor();
  assert.equal(await page.getByLabel('Name (to identify it)').inputValue(), 'Corrected');
  await assertAccessible(page);
  assert.equal(fixture.takeErrors().length, 2, 'the browser logs the 422 and the 404');
  await page.getByLabel('User id of the developer').fill(fixture.data.developer.userId);
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('region', { name: 'The new token' }).waitFor();
});

test('a token is revoked after a confirmation, and stops working', async () => {
  const { token } = await fixture.data.newToken('platform', { name: 'Storefront' });
  const page = await fixture.signedIn('#/tokens');
  const row = page.getByRole('row', { name: 'Storefront' });
  await row.getByRole('button', { name: 'Revoke Storefront' }).click();
  await row.getByRole('button', { name: 'Cancel' }).click();
  assert.ok(await authenticate(fixture.data.registry, token));
  await row.getByRole('button', { name: 'Revoke Storefront' }).click();
  await row.getByRole('button', { name: 'Revoke permanently' }).click();
  await row.getByText('Revoked').waitFor();
  assert.equal(await authenticate(fixture.data.registry, token), null);
  assert.equal(await row.getByRole('button').count(), 0);
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
  await assertAccessible(page);
});

test('without the admin scope there is no link to the tokens, and their page explains why', async () => {
  const page = await fixture.signedIn('#/tokens', { scopes: ['review'] });
  await page.getByRole('alert').getByText('takes a token with the scope "admin"').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Tokens' }).count(), 0);
  assert.equal(fixture.takeErrors().length, 1, 'the browser logs the 403');
});
