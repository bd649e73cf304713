import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, untilLoaded } from './console-fixture.ts';
import { assertReachable } from './keyboard.ts';
import { assertFitsPhone } from './phone.ts';

const scopes: 'review'[] = ['review'];
const sizes = [
  { width: 1_440, height: 900 },
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
];

let fixture: ConsoleFixture;
const ids = { moved: '', again: '' };
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  const { registry } = data;
  await updateSettings(registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
  const urls = (host: string) => ({ loginUrl: `https://${host}/login`, callbackUrl: `https://${host}/callback` });
  const listingInfo = { shortDescription: 'Receipts.', longDescription: 'A long line of words. '.repeat(90) };
  const moved = await data.newApp({
    name: 'Receipt Box',
    listingInfo,
    oauthInfo: urls('receipts.example'),
    status: 'APPROVED',
  });
  for (const _ of [1, 2]) await data.install(moved);
  const update = {
    name: 'Receipt Boxes',
    listingInfo: { longDescription: `${listingInfo.longDescription}And a PDF.`, backgroundColor: '#ffdf66' },
    oauthInfo: urls('receipts-login.test'),
  };
  await updateAppAsOperator(registry, commandLine, { appId: moved.id, update, ifRevision: undefined });
  const again = await data.newApp({ name: 'Weekly Digest', listingInfo, status: 'AWAITING_REVIEW' });
  const fields = [{ pointer: '/listingInfo/shortDescription', message: 'Say of what.' }];
  await reviewApp(registry, commandLine, { appId: again.id, step: 'reject', details: { message: 'Almost.', fields } });
  await data.review(again.id, 'submit');
  await data.newApp({ name: 'Standup Notes', developerId: data.otherDeveloper.id, status: 'AWAITING_REVIEW' });
  Object.assign(ids, { moved: moved.id, again: again.id });
});
after(() => fixture.close());

const opened = async (id: string, viewport = sizes[0]) => {
  const page = await fixture.signedIn(`#/review/${id}`, { scopes, ...(viewport && { viewport }) });
  await page.locator('.evidence').waitFor();
  await untilLoaded(page);
  return page;
};
/** The lower edge of each of these elements. */
const bottoms = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom));

for (const size of sizes) {
  test(`${size.width} by ${size.height}: every warning and the first changed field are above the decision bar`, async () => {
    const page = await opened(ids.moved, size);
    const bar = await page.getByRole('region', { name: 'Decision' }).evaluate((one) => one.getBoundingClientRect().top);
    const warnings = await bottoms(page, '.risk li');
    assert.equal(warnings.length, 2);
    const [field = Number.POSITIVE_INFINITY] = await bottoms(page, '.compared-field');
    assert.equal(await page.locator('.compared-field h3').first().textContent(), 'Login URL');
    assert.deepEqual(
      [...warnings, field].filter((bottom) => bottom > bar),
      [],
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), size.height, 'only panes scroll');
  });
}

test('a change shows whom it affects and what customers see now', async () => {
  const page = await opened(ids.moved);
  const head = page.getByRole('article').locator('header');
  assert.equal(
    await head.locator('p').textContent(),
    'Change to an approved app by Ada Lovelace · installed in 2 workspaces · customers still see revision 1 · App details',
  );
  await page.getByText('Sign-in codes of 2 workspaces would go there.').waitFor();
});

test('a long description is cut off around its change until all of it is wanted', async () => {
  const page = await opened(ids.moved);
  const text = page.getByRole('region', { name: 'Long description', exact: true });
  await text.locator('ins', { hasText: 'And a PDF.' }).waitFor();
  const height = async () => (await text.boundingBox())?.height ?? 0;
  const cut = await height();
  await text.getByRole('button', { name: 'Show all of Long description' }).click();
  assert.ok((await height()) > cut);
  assert.equal(
    (await text.locator('.difference').textContent())?.length,
    'A long line of words. '.repeat(90).length + 10,
  );
});

test('an app that comes back as it was rejected says so, with each comment at its field', async () => {
  const page = await opened(ids.again);
  await page.getByRole('article').getByText('Resubmitted without changes').waitFor();
  await page.getByRole('link', { name: 'Weekly Digest' }).getByText('Resubmitted without changes').waitFor();
  await page.getByRole('region', { name: 'Short description', exact: true }).getByText('Say of what.').waitFor();
  await page.getByText('6 fields unchanged').waitFor();
  assert.equal(
    await page
      .getByRole('article')
      .getByText(/command-line:|token_/)
      .count(),
    0,
    'names, not ids',
  );
});

test('rows of the queue differ by risk, changes, developer and reach', async () => {
  const page = await opened(ids.moved);
  const words = (await page.locator('.queue-words').allTextContents()).toSorted();
  assert.deepEqual(words, [
    'New app · grace@example.com · first app',
    '▲ Login host, Callback host · Name, Long description, Background colour · Ada Lovelace · 2 workspaces',
    '▲ Resubmitted without changes · Ada Lovelace',
  ]);
});

test('the context has the record, the history with reasons, and the notes, without scrolling', async () => {
  const page = await opened(ids.again, { width: 1_280, height: 800 });
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Almost.').waitFor();
  assert.deepEqual(
    (await history.getByRole('listitem').allTextContents()).map((text) => text.split(' ')[0]),
    ['Submitted', 'Rejected', 'Submitted', 'Created'],
  );
  await page.getByRole('region', { name: 'Notes' }).getByText('Developers never see notes.').waitFor();
  const context = page.locator('.review-context');
  assert.ok(await context.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
});

test('a window without room opens the context in place of the queue, and a phone in place of the evidence', async () => {
  for (const [size, hidden] of [
    [sizes[1], '.queue-pane'],
    [sizes[2], '.evidence'],
  ] as const) {
    const page = await opened(ids.again, size);
    const developer = page.getByRole('region', { name: 'Developer' });
    assert.equal(await developer.isVisible(), false);
    const open = page.getByRole('button', { name: 'Developer, history, notes' });
    await open.click();
    await developer.waitFor();
    assert.equal(await page.locator(hidden).isVisible(), false);
    await assertAccessible(page);
    await page.keyboard.press('Escape');
    await developer.waitFor({ state: 'hidden' });
    await open.waitFor();
    await page.keyboard.press('r');
    await page.getByRole('form', { name: /Weekly Digest/ }).waitFor();
    assert.equal(await page.locator(hidden).isVisible(), false);
  }
});

test('moving on changes two rows of the queue, however long it is', async () => {
  const page = await opened(ids.moved);
  await page.evaluate(() => {
    const list = document.querySelector('.queue-list');
    const changed = new Set<Element | null>();
    Object.assign(window, { changed });
    new MutationObserver((records) => {
      for (const { target } of records) {
        changed.add((target instanceof Element ? target : target.parentElement)?.closest('li') ?? null);
      }
    }).observe(list as Element, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  await page.keyboard.press('j');
  await page.getByText('2 of 3').waitFor();
  assert.equal(await page.evaluate(() => (window as unknown as { changed: Set<Element> }).changed.size), 2);
});

test('everything in the review is reached by the keyboard, and fits the narrowest window', async () => {
  const page = await opened(ids.moved, { width: 320, height: 640 });
  await assertFitsPhone(page);
  await assertAccessible(page);
  await page.setViewportSize({ width: 1_440, height: 900 });
  await assertReachable(page);
});
