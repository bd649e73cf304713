import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const name = 'معرض <b>Apps</b>';
const disc = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="red"/></svg>';
const apps = /\/operator\/v1\/apps(\?|$)/;
const phone = { viewport: { width: 390, height: 844 } };

let folder: string;
let fixture: ConsoleFixture;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-look-'));
  const mark = join(folder, 'mark.svg');
  writeFileSync(mark, disc);
  fixture = await ConsoleFixture.open(sqlite, { CONSOLE_NAME: name, CONSOLE_MARK: mark });
});
after(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

const menu = (page: Page) => page.getByRole('button', { name: 'Menu' });
const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' });
/** The title follows what is drawn. */
const untilTitled = (page: Page, title: string) => page.waitForFunction((text) => document.title === text, title);
const hasFocus = (element: Element) => element === document.activeElement;

test('the name and the mark of the operator are on the sign-in page, in the bar and in the title of the window', async () => {
  const page = await fixture.newWindow();
  await page.goto(fixture.address);
  await page.getByRole('heading', { name }).waitFor();
  await untilTitled(page, `Sign in · ${name}`);
  const image = page.locator('h1 img');
  assert.match((await image.getAttribute('src')) ?? '', /^\/assets\/mark-\w+\.png$/);
  assert.ok(await image.evaluate((mark: HTMLImageElement) => mark.decode().then(() => mark.naturalWidth > 0)));
  assert.match((await page.locator('link[rel="icon"]').getAttribute('href')) ?? '', /mark-/);

  const signedIn = await fixture.signedIn('#/review');
  await signedIn.getByRole('banner').getByRole('link', { name }).waitFor();
  await untilTitled(signedIn, `Review · ${name}`);
});

test('the current page is marked in the navigation, also with forced colours', async () => {
  const page = await fixture.signedIn('#/review');
  for (const forcedColors of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors });
    const [current, other] = await Promise.all(
      ['Review', 'Apps'].map((section) =>
        sections(page)
          .getByRole('link', { name: section, exact: true })
          .evaluate((link) => [link.getAttribute('aria-current'), getComputedStyle(link).backgroundColor]),
      ),
    );
    assert.deepEqual([current?.[0], other?.[0]], ['page', null]);
    assert.notEqual(current?.[1], other?.[1], forcedColors);
  }
});

test('on a phone the navigation is a menu, which the keyboard opens, Escape closes, and a choice leaves', async () => {
  const page = await fixture.signedIn('#/review', phone);
  await page.getByText('No app awaits review.').waitFor();
  assert.equal(await sections(page).isVisible(), false);
  await menu(page).focus();
  await page.keyboard.press('Enter');
  await sections(page).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await sections(page).waitFor({ state: 'hidden' });
  assert.ok(await menu(page).evaluate(hasFocus));
  await page.keyboard.press('Enter');
  await sections(page).getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  await sections(page).waitFor({ state: 'hidden' });
  assert.ok(await page.getByRole('main').evaluate(hasFocus), 'the reader starts at the page');
});

test('the account menu shows who is signed in, with which scopes and for how long', async () => {
  const page = await fixture.signedIn('', { ...phone, scopes: ['review'] });
  await page.getByRole('button', { name: 'Account: Grace, reviewer' }).click();
  const session = page.getByRole('dialog', { name: 'Your session' });
  await session.getByText('Signed in as Grace, reviewer').waitFor();
  await session.getByText('review', { exact: true }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await session.waitFor({ state: 'hidden' });
});

test('a person sees no section that their scopes do not allow', async () => {
  const names = async (page: Page) =>
    (await sections(page).getByRole('link').allTextContents()).map((text) => text.trim());
  const all = await names(await fixture.signedIn());
  const few = await names(await fixture.signedIn('', { scopes: ['read'] }));
  assert.deepEqual(
    all.filter((section) => !few.includes(section)),
    ['Webhooks', 'Tokens'],
  );
});

test('what cannot be undone needs a confirmation; a double click does not confirm it, and Escape cancels it', async () => {
  await fixture.data.newToken('developer', { name: 'Left alone' });
  const page = await fixture.signedIn('#/tokens');
  const revoke = page.getByRole('button', { name: 'Revoke Left alone' });
  await revoke.dblclick();
  const dialog = page.getByRole('dialog', { name: 'Revoke Left alone?' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  assert.ok(await revoke.evaluate(hasFocus));
  await page.keyboard.press('Enter');
  assert.ok(await dialog.getByRole('button', { name: 'Cancel' }).evaluate(hasFocus));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: 'Left alone' }).getByText('Active').waitFor();
});

test('slow content shows a placeholder, which does not move with reduced motion', async () => {
  const page = await fixture.signedIn('#/review', { reducedMotion: 'reduce' });
  let respond = () => {};
  const held = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route(apps, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  const shape = () =>
    page.locator('[aria-busy="true"]').evaluate((list) => {
      const { visibility, animationDelay, animationDuration } = getComputedStyle(list, '::before');
      return { visibility, animationDelay, animationDuration };
    });
  await page.waitForFunction(() => {
    const list = document.querySelector('[aria-busy="true"]');
    return list && getComputedStyle(list, '::before').visibility === 'visible';
  });
  assert.deepEqual(await shape(), { visibility: 'visible', animationDelay: '0.2s', animationDuration: '0s' });
  respond();
  await page.getByText('No apps yet').waitFor();
  assert.equal(await page.locator('[aria-busy="true"]').count(), 0);
});

test('errors are explained: without a connection, with too many requests, and when the registry fails', async () => {
  const page = await fixture.signedIn('#/review', { isNew: true });
  // The browser logs failed requests, some of them only after the page has shown them.
  page.context().removeAllListeners('console');
  const problem = (status: number, title: string) => ({
    status,
    contentType: 'application/problem+json',
    headers: { 'retry-after': '30' },
    body: JSON.stringify({
      ...{ type: 'about:blank', title, status, detail: 'What to do.', code: 'any', instance: 'urn:x', requestId: 'x' },
    }),
  });
  for (const [status, words] of [
    [429, 'Too many requests'],
    [500, 'The registry failed'],
    [503, 'The registry is busy'],
  ] as const) {
    await page.route(apps, (route) => route.fulfill(problem(status, 'Title For Programs')));
    await page.goto(`${fixture.address}#/apps?status=DRAFT&cursor=${status}`);
    const alert = page.getByRole('alert');
    await alert.getByText(words).waitFor();
    const text = (await alert.textContent()) ?? '';
    assert.doesNotMatch(text, /Title For Programs/);
    assert.match(text, /Try again in 30 seconds\./);
  }
  await assertAccessible(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.unroute(apps);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('alert').getByText('You are offline').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
});

test('the console brings its own font, and takes the accent of the operator although styles in the page are forbidden', async () => {
  const page = await fixture.newWindow();
  await page.route('**/session', async (route) => {
    const state = await (await route.fetch()).json();
    await route.fulfill({ json: { ...state, brand: { ...state.brand, accent: '#a3126a' } } });
  });
  await page.goto(fixture.address);
  const button = page.getByRole('button', { name: 'Sign in' });
  await button.waitFor();
  assert.equal(await button.evaluate((element) => getComputedStyle(element).backgroundColor), 'rgb(163, 18, 106)');
  // One that is preloaded and not used would be a warning in the console of the browser.
  assert.deepEqual(
    await page.evaluate(async () => (await document.fonts.load('600 13px Inter')).map((font) => font.status)),
    ['loaded'],
  );
});
