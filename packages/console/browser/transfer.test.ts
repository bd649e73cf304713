import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('an app is transferred to another developer, and an approved one is approved again from the queue', async () => {
  const { id } = await fixture.data.newApp({ name: 'Handed over', status: 'APPROVED' });
  const { id: userId } = fixture.data.otherDeveloper;
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  await page.getByText('Transfer to another developer').click();
  const transferTo = async (developerId: string) => {
    await page.getByRole('combobox', { name: 'New developer' }).fill(developerId);
    await page.getByRole('button', { name: 'Transfer' }).click();
  };
  await transferTo('user_00000000000000000000000000');
  await page.getByText('No developer has the user id').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 404');
  await transferTo(` ${userId} `);
  await page.getByText('App transferred to the new developer.').waitFor();
  await page.getByRole('link', { name: 'Review', exact: true }).last().click();
  await page.locator(`.record a[href="#/developers/${userId}"]`).waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).developerId, userId);

  await page.goto(`${fixture.address}#/review`);
  await page.getByRole('link', { name: 'Handed over' }).getByText('New developer').waitFor();
  await page.getByRole('link', { name: 'Handed over' }).click();
  await page.locator('.decision-steps button:enabled', { hasText: 'Approve' }).click();
  await page.getByRole('status').getByText('Approved Handed over').waitFor();
  await page.goto(`${fixture.address}#/review`);
  await page.getByText('No app awaits review.').waitFor();
});

test('only an admin transfers apps', async () => {
  const { id } = await fixture.data.newApp();
  const page = await fixture.signedIn(`#/apps/${id}/listing`, { scopes: ['portal', 'review', 'install'] });
  await page.getByRole('heading', { name: 'New logo' }).waitFor();
  assert.equal(await page.getByText('Transfer to another developer').count(), 0);
});
