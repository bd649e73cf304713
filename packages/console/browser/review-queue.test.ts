import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { claimApp } from '@appregistrar/testkit/calls/review';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';
import { assertFitsPhone } from './phone.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const scopes: 'review'[] = ['review'];
const names = (page: Page) => page.locator('.queue-list strong').allTextContents();
const listed = (page: Page, expected: string[]) =>
  page.waitForFunction(
    (texts) =>
      JSON.stringify([...document.querySelectorAll('.queue-list strong')].map(({ textContent }) => textContent)) ===
      JSON.stringify(texts),
    expected,
  );
const rename = (appId: string, name: string) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: { name }, ifRevision: undefined });

test('an empty queue is reported as empty', async () => {
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByText('No app awaits review.').waitFor();
  await assertAccessible(page);
});

test('the queue lists the apps that await review, longest waiting first, with what to review', async () => {
  const { data } = fixture;
  const late = await data.newApp({ name: 'Draft' });
  await data.newApp({ name: 'First', status: 'AWAITING_REVIEW' });
  const again = await data.newApp({ name: 'Before', status: 'APPROVED' });
  await data.review(again.id, 'revoke');
  await rename(again.id, 'After');
  await data.review(again.id, 'submit');
  // If two apps are submitted in the same millisecond, the older one comes first.
  await sleep(2);
  const { submittedAt } = await data.review(late.id, 'submit');
  const page = await fixture.signedIn('#/review', { scopes });
  await listed(page, ['First', 'After', 'Draft']);
  await page.getByText('3 open').waitFor();
  const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  assert.equal(await entry('Draft').getByRole('time').getAttribute('datetime'), submittedAt);
  await entry('First').getByText('New app').waitFor();
  await entry('After').getByText('Resubmitted: Name').waitFor();
});

test('filters and the order are in the URL, and the open app stays open', async () => {
  const { data } = fixture;
  const oauthInfo = { callbackUrl: 'https://192.0.2.1/callback' };
  const warned = await data.newApp({ name: 'Warned', status: 'AWAITING_REVIEW', oauthInfo });
  const changed = await data.newApp({ name: 'Approved', status: 'APPROVED' });
  await sleep(2);
  await rename(changed.id, 'Changed');
  const other = { developerId: data.otherDeveloper.id, status: 'AWAITING_REVIEW' } as const;
  await data.newApp({ name: 'Of another', ...other });
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByRole('link', { name: 'Changed' }).waitFor();
  await page.getByText('Filter and sort').click();
  const kind = page.getByLabel('Kind');
  await kind.selectOption('Changes');
  await listed(page, ['Changed']);
  assert.match(page.url(), /#\/review\?kind=change$/);
  await kind.selectOption('Any');
  await page.getByRole('combobox', { name: 'Warnings' }).selectOption('With warnings');
  await listed(page, ['Warned']);
  await page.getByRole('link', { name: 'Warned' }).click();
  await page.locator('h1', { hasText: 'Warned' }).waitFor();
  await page.getByRole('combobox', { name: 'Warnings' }).selectOption('Without warnings');
  await page.waitForFunction(() => !document.querySelector('.queue-list')?.textContent?.includes('Warned'));
  assert.ok(page.url().endsWith(`#/review/${warned.id}?warnings=no`), page.url());
  assert.equal(await page.locator('h1').textContent(), 'Warned');
  await page.getByText('Not in this list').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Developer' }).fill(data.otherDeveloper.id);
  await page.keyboard.press('Enter');
  await listed(page, ['Of another']);
  await page.reload();
  await listed(page, ['Of another']);
  await page.getByRole('combobox', { name: 'Developer' }).fill('');
  await page.keyboard.press('Enter');
  await page.getByLabel('Sort').selectOption('Newest first');
  await page.waitForFunction(() => document.querySelector('.queue-list strong')?.textContent === 'Of another');
  assert.ok(page.url().endsWith('?sort=newest'), page.url());
  await page.getByRole('combobox', { name: 'Waiting', exact: true }).selectOption('A day or more');
  await page.getByText('No matching apps in the queue.').waitFor();
  await page.getByRole('link', { name: 'Show the whole queue' }).click();
  await page.getByRole('link', { name: 'Warned' }).waitFor();
});

test('chips list what is risky, new, changed or assigned to the reviewer, with how many there are', async () => {
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByRole('link', { name: 'Warned' }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('article').getByText('Assigned to you').waitFor();
  await page.reload();
  const chip = (name: string) => page.getByRole('button', { name, exact: true });
  await chip('Changes 1').click();
  await listed(page, ['Changed']);
  await chip('Risk 1').click();
  await listed(page, ['Warned']);
  await chip('Mine 1').click();
  await listed(page, ['Warned']);
  assert.equal(await chip('Mine 1').getAttribute('aria-pressed'), 'true');
  await chip('All').click();
  await page.getByRole('link', { name: 'Of another' }).waitFor();
});

test('the next page of the queue is there before its last app is reached', async () => {
  for (let at = 0; at < 25; at += 1) await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByRole('button', { name: 'Show more' }).waitFor();
  const total = Number(/\d+/.exec((await page.getByText(/open$/).textContent()) ?? '')?.[0]);
  for (let at = 1; at <= total; at += 1) {
    await page.keyboard.press('j');
    await page.getByText(`${at} of ${total}`).waitFor();
  }
  assert.equal((await names(page)).length, total);
  await page.keyboard.press('k');
  await page.getByText(`${total - 1} of ${total}`).waitFor();
});

test('the search box opens queued apps and runs the possible actions, and nothing is chosen beforehand', async () => {
  const { id: developerId } = fixture.data.otherDeveloper;
  const { id } = await fixture.data.newApp({ name: 'By search', status: 'AWAITING_REVIEW', developerId });
  await fixture.data.newApp({ name: 'Searched', status: 'AWAITING_REVIEW', developerId });
  const page = await fixture.signedIn(`#/review/${id}?developer=${developerId}`, { scopes });
  await page.locator('h1', { hasText: 'By search' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('searched queue');
  await page.getByRole('option', { name: 'Searched' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Searched' }).waitFor();
  await page.goBack();
  await page.locator('h1:focus', { hasText: 'By search' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('send back');
  const option = page.getByRole('option', { name: 'Send back R', exact: true });
  await option.waitFor();
  assert.equal(await page.locator('[role=option][aria-selected=true]').count(), 0);
  await option.click();
  await page.getByRole('form', { name: 'Send back: By search' }).waitFor();
});

test('a key works as soon as its page is shown', async () => {
  const page = await fixture.signedIn('#/settings', { scopes });
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.review-mode')) return;
      observer.disconnect();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
    }).observe(document, { childList: true, subtree: true });
    location.hash = '#/review';
  });
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
});

test('keyboard shortcuts have a help dialog, and can be switched off', async () => {
  const { id } = await fixture.data.newApp({ name: 'By hand', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`, { scopes });
  const approve = page.getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  assert.equal(await approve.getAttribute('aria-keyshortcuts'), 'A');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Previous app').waitFor();
  await assertAccessible(page);
  await help.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('shortcuts');
  await page.getByRole('option', { name: /^Keyboard shortcuts/ }).click();
  await help.getByRole('checkbox').check();
  await help.getByRole('button', { name: 'Close' }).click();
  await help.waitFor({ state: 'detached' });
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'AWAITING_REVIEW');
  await page.keyboard.press('v');
  await page.getByRole('status').getByText('A submission cannot be reverted.').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('status').getByText('Approved By hand').waitFor();
});

test('a token that may only read sees the evidence and no button that would be refused', async () => {
  const { id } = await fixture.data.newApp({ name: 'Read only', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`, { scopes: ['read'] });
  await page.locator('h1', { hasText: 'Read only' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^(Approve|Send back|More|Comment)/ }).count(), 0);
  await page.keyboard.press('a');
  await page.getByRole('status').getByText('Your token lacks the scope for this.').waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'AWAITING_REVIEW');
});

test('a narrow window shows the queue or the app, with the decision in view', async () => {
  const { id } = await fixture.data.newApp({ name: 'Narrow', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn('#/review', { scopes, viewport: { width: 390, height: 844 } });
  const queue = page.getByRole('region', { name: 'Review', exact: true });
  await queue.getByRole('listitem').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
  await page.goto(`${fixture.address}#/review/${id}`);
  await page.locator('h1', { hasText: 'Narrow' }).waitFor();
  assert.equal(await queue.isVisible(), false);
  const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Approve' }).boundingBox()) ?? {};
  assert.ok(height > 0 && y + height <= 844, `in view: ${y} + ${height}`);
  await page.getByRole('button', { name: 'Send back' }).click();
  await page.setViewportSize({ width: 320, height: 640 });
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(width, window);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await queue.getByRole('listitem').first().waitFor();
});

test('a long claim is cut off in the queue, which fits a phone', async () => {
  const { data } = fixture;
  const { id: appId } = await data.newApp({ name: 'Claimed', status: 'AWAITING_REVIEW' });
  const { id: actor } = await data.newToken('operator', { name: 'Edsger of the team for trust and safety' });
  await claimApp(data.registry, { ...commandLine, actor }, { appId, claim: {} });
  const page = await fixture.signedIn('#/review?sort=newest', { scopes, viewport: { width: 320, height: 740 } });
  await page.getByText('Assigned to Edsger').waitFor();
  await assertFitsPhone(page);
});
