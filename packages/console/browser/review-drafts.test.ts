import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeToken } from '@appregistrar/testkit/calls/access';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { listAppDecisions } from '@appregistrar/testkit/calls/review';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture, sendDecisions, untilLoaded, withoutEvents } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const reason = (page: Page) => page.getByLabel('Message to the developer');
const note = (page: Page) => page.getByLabel('Note (for reviewers only)');
const mark = (page: Page) => page.getByRole('textbox', { name: 'Comment on Name' });
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('review-draft')));

async function open(page: Page, name: string): Promise<void> {
  await page.locator('h1', { hasText: name }).waitFor();
  await page.keyboard.press('r');
  await reason(page).waitFor();
}

async function write(page: Page): Promise<void> {
  await page.getByText('Code, note for reviewers').click();
  await reason(page).fill('The callback URL does not respond.');
  await page.getByLabel('Code (machine-readable)').fill('broken_address');
  await note(page).fill('The same sender as last week.');
  await page.getByRole('button', { name: 'Comment on Name' }).click();
  await mark(page).fill('Too general.');
}

async function assertWritten(page: Page): Promise<void> {
  await mark(page).waitFor();
  assert.deepEqual(
    [
      await reason(page).inputValue(),
      await page.getByLabel('Code (machine-readable)').inputValue(),
      await note(page).inputValue(),
      await mark(page).inputValue(),
    ],
    ['The callback URL does not respond.', 'broken_address', 'The same sender as last week.', 'Too general.'],
  );
}

async function signIn(page: Page, name: string): Promise<string> {
  const { id, token } = await fixture.data.newToken('operator', { scopes: ['review'], name });
  await page.getByLabel('Operator token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  return id;
}

test('a draft survives a reload, Back and a lost session, and is sent whole', async () => {
  const { id, name } = await fixture.data.newApp({ name: 'Drafted', status: 'AWAITING_REVIEW' });
  const { name: other } = await fixture.data.newApp({ name: 'Other', status: 'AWAITING_REVIEW' });
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/review/${id}`);
  const tokenId = await signIn(page, 'Grace');
  // The stream of events would find that the session has ended, and leave nothing to click.
  await withoutEvents(page);
  await open(page, name);
  await write(page);
  await page.reload();
  await open(page, name);
  await assertWritten(page);
  await page.getByRole('link', { name: other }).click();
  await page.locator('h1', { hasText: other }).waitFor();
  await page.goBack();
  await assertWritten(page);
  await untilLoaded(page);
  await revokeToken(fixture.data.registry, commandLine, tokenId);
  await page.reload();
  await page.getByText('Your session has ended').or(page.getByLabel('Operator token')).first().waitFor();
  fixture.takeErrors();
  await signIn(page, 'Grace');
  await open(page, name);
  await assertWritten(page);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status').getByText('Sent back Drafted').waitFor();
  await sendDecisions(page);
  assert.deepEqual(await drafts(page), []);
  assert.equal(
    (await getAppAsOperator(fixture.data.registry, id)).rejectionReason,
    'The callback URL does not respond.',
  );
  const decisions = await listAppDecisions(fixture.data.registry, { appId: id, query: {}, showsNotes: true });
  const { code, fields, note: stored } = decisions.items[0] ?? {};
  assert.deepEqual(
    [code, fields, stored],
    ['broken_address', [{ pointer: '/name', message: 'Too general.' }], 'The same sender as last week.'],
  );
});

test('a draft is not shown to another person, and is removed when one signs in', async () => {
  const { id, name } = await fixture.data.newApp({ name: 'Private', status: 'AWAITING_REVIEW' });
  const page = await fixture.newWindow();
  await page.goto(`${fixture.address}#/review/${id}`);
  await signIn(page, 'Grace');
  await open(page, name);
  await reason(page).fill('Not for others.');
  assert.equal((await drafts(page)).length, 1);
  await page.context().clearCookies();
  await page.reload();
  await signIn(page, 'Rui');
  await open(page, name);
  assert.equal(await reason(page).inputValue(), '');
  assert.deepEqual(await drafts(page), []);
});

test('a draft older than 30 days is removed, and an invalid stored draft is ignored', async () => {
  const { id, name } = await fixture.data.newApp({ name: 'Old draft', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`);
  await open(page, name);
  await reason(page).fill('Long ago.');
  const age = (days: number) =>
    page.evaluate((ms) => {
      for (const key of Object.keys(localStorage).filter((one) => one.startsWith('review-draft'))) {
        const draft = JSON.parse(localStorage.getItem(key) ?? '');
        localStorage.setItem(key, JSON.stringify({ ...draft, savedAt: Date.now() - ms }));
      }
    }, days * 86_400_000);
  await age(29);
  await page.reload();
  await open(page, name);
  assert.equal(await reason(page).inputValue(), 'Long ago.');
  await age(31);
  await page.reload();
  await open(page, name);
  assert.equal(await reason(page).inputValue(), '');
  await page.evaluate((key) => localStorage.setItem(key, '{"half'), `review-draft ${id}`);
  await page.reload();
  await open(page, name);
  assert.equal(await reason(page).inputValue(), '');
});

test('a draft stays when the app changes, and shows which revision it was written about', async () => {
  const { id, name } = await fixture.data.newApp({ name: 'Moving', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`);
  await open(page, name);
  await reason(page).fill('The name moves.');
  await fixture.data.review(id, 'withdraw');
  const update = { name: 'Moved' };
  await updateAppAsOperator(fixture.data.registry, commandLine, { appId: id, update, ifRevision: undefined });
  await fixture.data.review(id, 'submit');
  await page.reload();
  await open(page, 'Moved');
  await page.getByText('This was written about revision 1.').waitFor();
  assert.equal(await reason(page).inputValue(), 'The name moves.');
});

test('an approval with a draft must be confirmed before the draft is sent', async () => {
  const { id, name } = await fixture.data.newApp({ name: 'Praised', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`);
  await open(page, name);
  await reason(page).fill('Well done.');
  await page.keyboard.press('Escape');
  await reason(page).waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  assert.equal(await reason(page).inputValue(), 'Well done.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('status').getByText('Approved Praised').waitFor();
  await sendDecisions(page);
  const decisions = await listAppDecisions(fixture.data.registry, { appId: id, query: {}, showsNotes: true });
  assert.equal(decisions.items[0]?.message, 'Well done.');
});
