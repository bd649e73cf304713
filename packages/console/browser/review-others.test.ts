import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { OperatorClient } from '../../client/src/operator/index.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, withoutEvents } from './console-fixture.ts';

let fixture: ConsoleFixture;
let rui: OperatorClient;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { token } = await fixture.data.newToken('operator', { scopes: ['review'], name: 'Rui' });
  rui = new OperatorClient({ baseUrl: fixture.address, token });
});
after(() => fixture.close());

const reason = (page: Page) => page.getByLabel('Reason (shared with the developer)');
const outcome = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

async function opened(name: string): Promise<{ id: string; page: Page }> {
  const { id } = await fixture.data.newApp({ name, status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/review/${id}`);
  // Other tests cover immediate updates. Here the page gets them too late.
  await withoutEvents(page);
  await page.locator('h1', { hasText: name }).waitFor();
  return { id, page };
}

test('the second of two reviewers sees who decided, and keeps their text', async () => {
  const { id, page } = await opened('Contested');
  await page.keyboard.press('r');
  await reason(page).fill('I would reject it.');
  await rui.apps.approve(id, { revision: (await rui.apps.get(id)).etag, message: 'It is fine.' });
  await page.getByRole('button', { name: 'Reject the app' }).click();
  const alert = page.getByRole('alert');
  await alert
    .getByText(/^Rui approved this (just now|\d+ s ago)/)
    .filter({ hasText: 'Your text is kept.' })
    .waitFor();
  await alert.getByText('It is fine.').waitFor();
  assert.equal(await page.getByText(/Conflict|review_status_conflict/).count(), 0, 'never a problem title');
  assert.equal(await page.getByRole('button', { name: /^(Approve|Reject)/ }).count(), 0, 'nothing is left to decide');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Revoke' }).click();
  assert.equal(await reason(page).inputValue(), 'I would reject it.');
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'APPROVED');
  await fixture.takeLogged(1, 'the browser logs the 409');
});

test('a withdrawal and a deletion are explained too, and the next app follows', async () => {
  const { id, page } = await opened('Withdrawn');
  const { id: deletedId } = await fixture.data.newApp({ name: 'Deleted', status: 'AWAITING_REVIEW' });
  await page.reload();
  await page.getByRole('region', { name: 'Review', exact: true }).getByRole('link', { name: 'Deleted' }).waitFor();
  // The queue may be shown before the app, which would be read without its submission.
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await fixture.data.review(id, 'withdraw');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('The submission has been withdrawn').waitFor();
  await page.keyboard.press('j');
  await page.locator('h1', { hasText: 'Deleted' }).waitFor();
  await deleteApp(fixture.data.registry, commandLine, { appId: deletedId });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('This app has been deleted.').waitFor();
  // It would read the notes and the claim once more, and log a 404 in the next test.
  await page.close();
  fixture.takeErrors();
});

test('a claim shows who is reviewing an app, and warns before a decision without forbidding it', async () => {
  const { id, page } = await opened('Claimed');
  await rui.apps.claim(id);
  await page.keyboard.press('c');
  await outcome(page, 'Rui');
  await page.getByRole('article').getByText('Claimed by Rui').waitFor();
  fixture.takeErrors();
  await page.reload();
  await page.getByRole('link', { name: 'Claimed' }).getByText('Claimed by Rui').waitFor();
  await page.getByRole('button', { name: 'Take over' }).waitFor();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Approve: Claimed' });
  await form.getByText('Claimed by Rui').waitFor();
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'AWAITING_REVIEW');
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Approve anyway' }).click();
  await outcome(page, 'Approved Claimed');
});

test('a claim is taken over, and released', async () => {
  const { id, page } = await opened('Taken over');
  const claim = async () => (await rui.apps.get(id)).claim?.actorName;
  await rui.apps.claim(id);
  await page.reload();
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('article').getByText('Claimed by you').waitFor();
  assert.equal(await claim(), 'Grace, reviewer');
  await page.keyboard.press('c');
  await outcome(page, 'Claim released.');
  assert.equal(await claim(), undefined);
  await page.getByRole('button', { name: 'Claim' }).waitFor();
});

test('a step can be corrected from its message', async () => {
  const { id, page } = await opened('Approved by mistake');
  await page.keyboard.press('a');
  await outcome(page, 'Approved Approved by mistake');
  await page.getByRole('button', { name: 'Revoke…' }).click();
  await reason(page).fill('That was a mistake.');
  await page.getByRole('button', { name: 'Revoke the approval' }).click();
  await outcome(page, 'Revoked the approval of Approved by mistake');
  await page.getByRole('button', { name: 'Submit again…' }).click();
  await page.getByRole('form').getByRole('button', { name: 'Submit for review' }).click();
  await outcome(page, 'Submitted Approved by mistake');
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'AWAITING_REVIEW');
});

test('a lost response leaves the app and the text where they are', async () => {
  const { id, page } = await opened('Unreachable');
  await page.route('**/reject', (route) => route.abort());
  await page.keyboard.press('r');
  await reason(page).fill('Kept.');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  assert.equal(await reason(page).inputValue(), 'Kept.');
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'AWAITING_REVIEW');
  fixture.takeErrors();
});
