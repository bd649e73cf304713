import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { showApp } from '../../server/src/registry/apps/show-app.ts';
import { updateAppAsOperator } from '../../server/src/registry/apps/update-app-as-operator.ts';
import { commandLine } from '../../server/src/registry/registry.ts';
import { reviewApp } from '../../server/src/registry/review/review-app.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const scopes: 'review'[] = ['review'];
const stateOf = async (id: string) => {
  const { reviewStatus, rejectionReason } = await showApp(fixture.data.registry, id);
  return [reviewStatus, rejectionReason];
};
const rename = (appId: string, name: string) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: { name }, ifRevision: undefined });

test('an empty queue says so', async () => {
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByText('No app awaits review.').waitFor();
  await assertAccessible(page);
});

test('the queue has what awaits review, the longest waiting first, and says what there is to review', async () => {
  const { data } = fixture;
  const late = await data.newApp({ name: 'Draft' });
  await data.newApp({ name: 'First', status: 'AWAITING_REVIEW' });
  const again = await data.newApp({ name: 'Before', status: 'APPROVED' });
  await data.review(again.id, 'revoke');
  await rename(again.id, 'After');
  await data.review(again.id, 'submit');
  // Of two that were submitted in one millisecond the older app comes first.
  await sleep(2);
  const { submittedAt } = await data.review(late.id, 'submit');
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByRole('link', { name: 'First' }).waitFor();
  assert.deepEqual(await page.locator('tbody a').allTextContents(), ['First', 'After', 'Draft']);
  const waitsSince = page.getByRole('row', { name: 'Draft' }).getByRole('time');
  assert.equal(await waitsSince.getAttribute('datetime'), submittedAt);
  await data.review(late.id, 'withdraw');
  await page.getByRole('row', { name: 'First' }).getByText('it was never approved').waitFor();
  await page.getByRole('row', { name: 'After' }).getByText('What has changed').waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'After' }).click();
  await page.getByRole('heading', { name: 'After' }).waitFor();
  const row = page.getByRole('table').first().getByRole('row', { name: 'Name' });
  assert.deepEqual(await row.getByRole('cell').allTextContents(), ['Before', 'After Changed']);
});

test('an app is approved, in the name of the token, and the queue goes on', async () => {
  const { id } = await fixture.data.newApp({ name: 'To approve', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The app is approved.').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).waitFor();
  assert.deepEqual(await stateOf(id), ['APPROVED', undefined]);
  assert.match((await fixture.data.eventsOf(id)).at(-1)?.actor ?? '', /^token_/);
  await assertAccessible(page);
  await page.getByRole('link', { name: 'What else awaits review' }).click();
  await page.getByRole('link', { name: 'First' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'To approve' }).count(), 0);
});

test('an app is rejected with a reason, by the keyboard alone', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Reject' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason, which the developer is told').waitFor();
  await assertAccessible(page);
  await page.keyboard.type('It does not answer.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The app is rejected.').waitFor();
  assert.deepEqual(await stateOf(id), ['REJECTED', 'It does not answer.']);
});

test('an approval is taken back, with every installation', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByLabel('Reason, which the developer is told').fill('It sends spam.');
  await page.getByLabel('Disable every installation').check();
  await page.getByRole('button', { name: 'Revoke the approval' }).click();
  await page.getByText('The approval is taken back.').waitFor();
  await page.getByRole('row', { name: workspaceId }).getByText('Disabled').waitFor();
  assert.deepEqual(await stateOf(app.id), ['REJECTED', 'It sends spam.']);
});

test('what has changed since it was shown is not approved, and is shown', async () => {
  const { id } = await fixture.data.newApp({ name: 'Seen', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await fixture.data.review(id, 'withdraw');
  await rename(id, 'Never seen');
  await fixture.data.review(id, 'submit');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('Precondition Failed').waitFor();
  await page.getByRole('heading', { name: 'Never seen' }).waitFor();
  assert.deepEqual(await stateOf(id), ['AWAITING_REVIEW', undefined]);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 412');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('The app is approved.').waitFor();
});

test('who decides second is told who was first, and sees what was decided', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await reviewApp(fixture.data.registry, commandLine, { appId: id, step: 'reject', details: { reason: 'First.' } });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').getByText('command-line').waitFor();
  await page.getByText('First.').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0);
  assert.equal(fixture.takeFaults().length, 1, 'the browser itself tells the 409');
});

test('each is offered the steps of their own scope alone', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  for (const [scope, offered] of [
    ['read', []],
    ['portal', ['Withdraw']],
    ['review', ['Approve', 'Reject']],
    ['admin', ['Withdraw', 'Approve', 'Reject']],
  ] as const) {
    const page = await fixture.signedIn(`#/apps/${id}`, { scopes: [scope] });
    await page.getByText('App submitted').waitFor();
    assert.deepEqual(await page.locator('.steps button').allTextContents(), offered, scope);
  }
});
