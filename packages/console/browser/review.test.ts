import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { effectiveContent } from '../../client/src/operator/index.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture, withoutEvents } from './console-fixture.ts';

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

const scopes: 'review'[] = ['review'];
const stateOf = async (id: string) => {
  const { reviewStatus, rejectionReason } = await getAppAsOperator(fixture.data.registry, id);
  return [reviewStatus, rejectionReason];
};
const rename = (appId: string, name: string) =>
  updateAppAsOperator(fixture.data.registry, commandLine, { appId, update: { name }, ifRevision: undefined });

test('an app is approved, the event names the token, and the queue continues', async () => {
  const { id } = await fixture.data.newApp({ name: 'To approve', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('App approved.').waitFor();
  await page.getByRole('button', { name: 'Revoke' }).waitFor();
  assert.deepEqual(await stateOf(id), ['APPROVED', undefined]);
  assert.match((await fixture.data.eventsOf(id)).at(-1)?.actor ?? '', /^token_/);
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Continue with the review queue' }).click();
  await page.getByRole('heading', { name: 'Review' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'To approve' }).count(), 0);
});

test('an app is rejected with a reason, using only the keyboard', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await page.getByRole('button', { name: 'Reject' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason (shared with the developer)').waitFor();
  await page.keyboard.type('It does not respond.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('App rejected.').waitFor();
  assert.deepEqual(await stateOf(id), ['REJECTED', 'It does not respond.']);
});

test('revoking an approval can disable every installation', async () => {
  const app = await fixture.data.newApp({ status: 'APPROVED' });
  const { workspaceId } = await fixture.data.install(app);
  const page = await fixture.signedIn(`#/apps/${app.id}`);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByLabel('Reason (shared with the developer)').fill('It sends spam.');
  await page.getByLabel('Disable every installation').check();
  await page.getByRole('button', { name: 'Revoke the approval' }).click();
  await page.getByText('Approval revoked.').waitFor();
  await page.getByRole('link', { name: 'Installations 1' }).click();
  await page.getByRole('row', { name: workspaceId }).getByText('Disabled').waitFor();
  assert.deepEqual(await stateOf(app.id), ['REJECTED', 'It sends spam.']);
});

test('an app that has changed since it was shown is not approved, and the change is shown', async () => {
  const { id } = await fixture.data.newApp({ name: 'Seen', status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  await withoutEvents(page);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await fixture.data.review(id, 'withdraw');
  await rename(id, 'Never seen');
  await fixture.data.review(id, 'submit');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page
    .getByRole('alert')
    .getByText(/^The developer changed this app .*: read it before you decide/)
    .waitFor();
  await page.getByRole('heading', { name: 'Never seen' }).waitFor();
  assert.deepEqual(await stateOf(id), ['AWAITING_REVIEW', undefined]);
  await fixture.takeLogged(1, 'the browser logs the 412');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('App approved.').waitFor();
});

test('a held change is rejected with a reason, and what was approved stays in effect', async () => {
  const { id } = await fixture.data.newApp({ name: 'In effect', status: 'APPROVED' });
  await rename(id, 'Held back');
  const page = await fixture.signedIn(`#/apps/${id}`, { scopes });
  const offered = () => page.locator('.steps button').allTextContents();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  assert.deepEqual(await offered(), ['Approve', 'Revoke'], 'a change that is in effect cannot be rejected');
  await setChanges({ changesToApproved: 'hold' });
  await page.reload();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Reason (shared with the developer)').fill('The name misleads.');
  await page.getByRole('button', { name: 'Reject the change' }).click();
  await page.getByText('Change rejected.').waitFor();
  await page.locator('.history').getByText('Change rejected', { exact: true }).waitFor();
  assert.deepEqual(await offered(), ['Revoke']);
  const app = await getAppAsOperator(fixture.data.registry, id);
  const { name, reviewStatus } = app;
  assert.deepEqual([name, effectiveContent(app)?.name, reviewStatus], ['Held back', 'In effect', 'APPROVED']);
  assert.deepEqual((await fixture.data.eventsOf(id)).at(-1)?.type, 'app.change_rejected');
  await setChanges({ changesToApproved: 'live' });
});

const setChanges = (update: object) => updateSettings(fixture.data.registry, commandLine, { update, existing: 'hold' });

test('the queue names the risks of an app, and each is a sentence about its field, with names in place of ids', async () => {
  const { id: otherId } = await fixture.data.newApp({ name: 'Paypal', status: 'APPROVED' });
  const oauthInfo = { loginUrl: 'https://192.0.2.1/login' };
  const { developerId } = await fixture.data.newApp({ developerId: fixture.data.otherDeveloper.id });
  await fixture.data.newApp({ developerId, name: 'PaypaI', oauthInfo, status: 'AWAITING_REVIEW' });
  const page = await fixture.signedIn('#/review', { scopes });
  await page.getByRole('link', { name: 'PaypaI' }).getByText('IP address').waitFor();
  await page.getByRole('link', { name: 'PaypaI' }).click();
  const warnings = page.getByRole('list', { name: 'Warnings' });
  await warnings.getByText('The login URL has an IP address for a host').waitFor();
  const warning = warnings.getByRole('listitem').filter({ hasText: 'The name looks like that of another' });
  await warning.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  const other = warning.getByRole('link', { name: 'Paypal' });
  assert.equal(await other.getAttribute('href'), `#/apps/${otherId}`);
  await other.click();
  await page.getByRole('heading', { name: 'Paypal', level: 1 }).waitFor();
});

test('each scope offers only its own review steps', async () => {
  const { id } = await fixture.data.newApp({ status: 'AWAITING_REVIEW' });
  for (const [scope, offered] of [
    ['read', []],
    ['portal', ['Withdraw']],
    ['review', ['Approve', 'Reject']],
    ['admin', ['Approve', 'Reject', 'Withdraw']],
  ] as const) {
    const page = await fixture.signedIn(`#/apps/${id}`, { scopes: [scope] });
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    assert.deepEqual(await page.locator('.steps button').allTextContents(), offered, scope);
  }
});
