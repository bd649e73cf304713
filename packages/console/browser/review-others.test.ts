import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { OperatorClient } from '../../client/src/operator/index.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, sendDecisions, withoutEvents } from './console-fixture.ts';

let fixture: ConsoleFixture;
let rui: OperatorClient;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { token } = await fixture.data.newToken('operator', { scopes: ['review'], name: 'Rui' });
  rui = new OperatorClient({ baseUrl: fixture.address, token });
});
after(() => fixture.close());

const reason = (page: Page) => page.getByLabel('Message to the developer');
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
  await reason(page).fill('I would send it back.');
  await rui.apps.approve(id, { revision: (await rui.apps.get(id)).etag, message: 'It is fine.' });
  await page.keyboard.press('Control+Enter');
  await outcome(page, 'Sent back Contested');
  await sendDecisions(page);
  await page.goBack();
  const alert = page.getByRole('alert');
  await alert
    .getByText(/^Rui approved this (just now|\d+ s ago)/)
    .filter({ hasText: 'Your text is kept.' })
    .waitFor();
  await alert.getByText('It is fine.').waitFor();
  await outcome(page, 'Not sent back Contested');
  assert.equal(await page.getByText(/Conflict|review_status_conflict/).count(), 0, 'never a problem title');
  assert.equal(await page.getByRole('button', { name: /^(Approve|Send back)/ }).count(), 0, 'nothing to decide');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  assert.equal(await reason(page).inputValue(), 'I would send it back.');
  assert.equal((await getAppAsOperator(fixture.data.registry, id)).reviewStatus, 'APPROVED');
  await fixture.takeLogged(1, 'the browser logs the 409');
});

test('a withdrawal is explained when the next decision sends the one that it overtook, and a deletion too', async () => {
  const { id, page } = await opened('Withdrawn');
  const { id: deletedId } = await fixture.data.newApp({ name: 'Deleted', status: 'AWAITING_REVIEW' });
  await page.reload();
  await page.getByRole('region', { name: 'Review', exact: true }).getByRole('link', { name: 'Deleted' }).waitFor();
  // The queue may be shown before the app, which would be read without its submission.
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await fixture.data.review(id, 'withdraw');
  await page.keyboard.press('a');
  await page.locator('h1', { hasText: 'Deleted' }).waitFor();
  await page.locator('.decision-steps button:enabled', { hasText: 'Approve' }).waitFor();
  await deleteApp(fixture.data.registry, commandLine, { appId: deletedId });
  await page.keyboard.press('a');
  await page.getByRole('alert').getByText('The submission has been withdrawn').waitFor();
  await page.locator('h1', { hasText: 'Withdrawn' }).waitFor();
  await sendDecisions(page);
  await page.goBack();
  await page.getByText(/^Not approved Deleted/).waitFor();
  await page.close();
  fixture.takeErrors();
});

test('a claim shows who is reviewing an app, and warns before a decision without forbidding it', async () => {
  const { id, page } = await opened('Claimed');
  await rui.apps.claim(id);
  await page.keyboard.press('c');
  await outcome(page, 'Rui');
  await page.getByRole('article').getByText('Assigned to Rui').waitFor();
  fixture.takeErrors();
  await page.reload();
  await page.getByRole('link', { name: 'Claimed' }).getByText('Assigned to Rui').waitFor();
  await page.keyboard.press('a');
  const form = page.getByRole('form', { name: 'Approve: Claimed' });
  await form.getByText('Assigned to Rui').waitFor();
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
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('article').getByText('Assigned to you').waitFor();
  assert.equal(await claim(), 'Grace, reviewer');
  await page.keyboard.press('c');
  await outcome(page, 'Assigned to no one.');
  assert.equal(await claim(), undefined);
});

test('who looks at an app for a while is shown to others, and assigns nothing by that', async () => {
  const { id } = await fixture.data.newApp({ name: 'Looked at', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn('#/overview', { isNew: true });
  await page.clock.install();
  await page.goto(`${fixture.address}#/review/${id}`);
  await page.locator('h1', { hasText: 'Looked at' }).waitFor();
  assert.equal((await rui.apps.get(id)).presence, undefined);
  const announced = page.waitForResponse('**/claim');
  await page.clock.runFor(5_000);
  await announced;
  const { presence, claim } = await rui.apps.get(id);
  assert.deepEqual([presence?.map(({ actorName }) => actorName), claim], [['Grace, reviewer'], undefined]);
  await rui.apps.claim(id, { kind: 'presence' });
  await page.reload();
  await page.getByRole('article').getByText('Rui is reviewing').waitFor();
  await page.getByRole('link', { name: 'Looked at' }).getByText('Rui is reviewing').waitFor();
});
