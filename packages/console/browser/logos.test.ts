import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo, listLogos } from '@appregistrar/testkit/calls/logos';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const logos = async () => (await listLogos(fixture.data.registry, {})).items;

test('logos are shown as pictures, of all developers or of one', async () => {
  const { data } = fixture;
  const mine = await data.newLogo();
  const other = await data.newLogo(data.otherDeveloper.id);
  const page = await fixture.signedIn('#/logos', { scopes: ['read'] });
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll<HTMLImageElement>('main img')].filter((image) => image.naturalWidth > 0).length ===
      2,
  );
  await page.getByText(other.id).waitFor();
  await page.getByRole('combobox', { name: 'Developer' }).fill(data.developer.id);
  await page.keyboard.press('Enter');
  await page.getByText(other.id).waitFor({ state: 'detached' });
  await page.getByText(mine.id).waitFor();
  assert.equal(page.url(), `${fixture.address}#/apps?show=logos&developerId=${data.developer.id}`);
  assert.equal(await page.getByRole('button', { name: /Block|Delete/ }).count(), 0);
});

test('a logo is blocked with a reason, which hides its picture, and unblocked again', async () => {
  const { id } = await fixture.data.newLogo();
  const page = await fixture.signedIn('#/logos', { scopes: ['review'] });
  const card = page.getByRole('listitem').filter({ hasText: id });
  await card.getByRole('button', { name: `Block ${id}` }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Copied.');
  await page.getByRole('dialog').getByRole('button', { name: 'Block the logo' }).click();
  await card.getByText('Blocked').waitFor();
  await card.getByText('Copied.').waitFor();
  assert.equal(await card.locator('img').count(), 0);
  assert.ok((await logos()).find((logo) => logo.id === id)?.blockedAt);
  assert.equal(await card.getByRole('button', { name: `Delete ${id}` }).count(), 0, 'that takes the scope admin');
  await card.getByRole('button', { name: `Unblock ${id}` }).click();
  await card.locator('img').waitFor();
  assert.equal((await logos()).find((logo) => logo.id === id)?.blockedAt, undefined);
});

test('a logo is deleted after a confirmation, unless an app uses it', async () => {
  const [unused, used] = [await fixture.data.newLogo(), await fixture.data.newLogo()];
  const { id: appId } = await fixture.data.newApp();
  const update = { logoId: used.id };
  await updateAppAsOperator(fixture.data.registry, commandLine, { appId, update, ifRevision: undefined });
  const page = await fixture.signedIn('#/logos');
  const remove = async (id: string) => {
    await page.getByRole('button', { name: `Delete ${id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  };
  await remove(used.id);
  await page.getByRole('listitem').filter({ hasText: used.id }).getByRole('alert').waitFor();
  await fixture.takeLogged(1, 'the browser logs the 409');
  await remove(unused.id);
  await page.getByText('Logo deleted.').waitFor();
  await page.getByText(unused.id).waitFor({ state: 'detached' });
  const left = (await logos()).map(({ id }) => id);
  assert.deepEqual([left.includes(unused.id), left.includes(used.id)], [false, true]);
});

test('an app with a blocked logo is shown with the initial of its name', async () => {
  const { data } = fixture;
  const { id } = await data.newLogo();
  await data.newApp({ name: 'Zebra', logoId: id });
  await blockLogo(data.registry, commandLine, { id, block: { reason: 'Copied.' } });
  const page = await fixture.signedIn('#/apps?name=Zebra', { scopes: ['read'] });
  await page.getByRole('rowheader', { name: 'Zebra' }).getByText('Z', { exact: true }).waitFor();
  assert.equal(await page.getByRole('rowheader').locator('img').count(), 0);
  await fixture.takeLogged(1, 'the browser logs that the image is not found');
});
