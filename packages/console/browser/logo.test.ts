import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const disc = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="red"/></svg>';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const choose = (page: Page, name: string, mimeType: string, text: string) =>
  page.getByLabel('Drop an image here').setInputFiles({ name, mimeType, buffer: Buffer.from(text) });

test('an image is previewed in three sizes on the colour of the app, and becomes its logo', async () => {
  const app = await fixture.data.newApp({ listingInfo: { backgroundColor: '#123456' } });
  const page = await fixture.signedIn(`#/apps/${app.id}/listing`, {
    scopes: ['portal'],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await choose(page, 'disc.svg', 'image/svg+xml', disc);
  await page.getByText('128 px').waitFor();
  const images = page.locator('.sizes img');
  const shown = await images.evaluateAll((all) =>
    all.map((image) => [image.clientWidth, (image as HTMLImageElement).naturalWidth]),
  );
  assert.deepEqual(shown, [
    [32, 512],
    [64, 512],
    [128, 512],
  ]);
  assert.equal(await page.locator('.sizes').evaluate((element) => element.style.backgroundColor), 'rgb(18, 52, 86)');
  await page.getByRole('button', { name: 'Copy the id' }).click();
  await page.getByText('Copied.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^logo_/);
  await page.getByRole('button', { name: 'Use as app logo' }).click();
  await page.locator('.card img').waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, app.id)).logoId, copied);
});

test('an app without a logo shows the first character of its name instead', async () => {
  const { id } = await fixture.data.newApp({ name: '👩‍👩‍👧 Family' });
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  const initial = page.locator('.card .initial');
  assert.equal(await initial.textContent(), '👩‍👩‍👧');
  assert.deepEqual(await initial.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]), [56, 56]);
});

test('an image can be dropped', async () => {
  const { id } = await fixture.data.newApp();
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'disc.svg', { type: 'image/svg+xml' }));
    return transfer;
  }, disc);
  await page.locator('.drop').waitFor();
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
  await page.getByText('64 px').waitFor();
});

test('a file that is not an image or too large is refused with the reason', async () => {
  const { id } = await fixture.data.newApp();
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  for (const [text, reason] of [
    ['no image at all', /image/],
    [disc.padEnd(1_200_000, ' '), /1 MiB|larger/],
  ] as const) {
    await choose(page, 'logo.svg', 'image/svg+xml', text);
    await page.getByRole('alert').filter({ hasText: reason }).waitFor();
    await assertAccessible(page);
    assert.equal(await page.locator('.sizes').count(), 0);
  }
  const errors = fixture.takeErrors();
  assert.ok(errors.length === 2 && errors.every((error) => error.includes('/operator/v1/logos')), errors.join());
});

test('a logo is set only if the app has not changed since it was shown', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}/listing`);
  await choose(page, 'disc.svg', 'image/svg+xml', disc);
  await page.getByRole('button', { name: 'Use as app logo' }).click();
  await page.getByRole('alert').getByText('review').first().waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).logoId, undefined);
  await fixture.takeLogged(1, 'the browser logs the 409');
});

test('a page of another origin that isolates itself shows a logo', async (t) => {
  let html = '';
  const server = createServer((_request, response) => {
    const isolated = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };
    response.writeHead(200, { 'content-type': 'text/html', ...isolated }).end(html);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const shop = await ConsoleFixture.open(sqlite, {}, [origin]);
  t.after(() => shop.close());
  html = `<!doctype html><img src="${shop.publicAddress}logos/${(await shop.data.newLogo()).id}">`;
  const page = await shop.newWindow({ isNew: true });
  await page.goto(origin);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  assert.notEqual(await page.evaluate(() => document.images[0]?.naturalWidth), 0);
});
