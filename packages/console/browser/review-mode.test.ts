import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAppAsOperator, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import type { Page } from 'playwright-core';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { ConsoleFixture, reloadWithoutPast, sendDecisions, untilLoaded } from './console-fixture.ts';

const scopes: 'review'[] = ['review'];
/** Its history, its notes, its claim while the decision waits, the decision, and the reasons or an undo. */
const requestsPerApp = 5;

let fixture: ConsoleFixture;
const ids: string[] = [];
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
  const { data } = fixture;
  const ofAnother = async (name: string, status: 'APPROVED' | 'AWAITING_REVIEW') => {
    const { id: developerId } = await createDeveloper(data.registry, commandLine, { email: 'a@example.com' });
    return (await data.newApp({ name, status, developerId })).id;
  };
  const changed = await ofAnother('Changed', 'APPROVED');
  await updateSettings(data.registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
  const update = { name: 'Changed by its developer' };
  await updateAppAsOperator(data.registry, commandLine, { appId: changed, update, ifRevision: undefined });
  ids.push(changed);
  for (const name of ['Two', 'Three', 'Four', 'Five']) ids.push(await ofAnother(name, 'AWAITING_REVIEW'));
});
after(() => fixture.close());

const stateOf = async (id: string) => {
  const { reviewStatus, rejectionReason } = await getAppAsOperator(fixture.data.registry, id);
  return [reviewStatus, rejectionReason];
};

test('five apps are reviewed by the keyboard alone, with at most five requests each', async () => {
  const page = await fixture.signedIn('#/review', { scopes });
  await reloadWithoutPast(page);
  await page.getByRole('link', { name: 'Five' }).waitFor();
  await untilLoaded(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    // The browser reads the icon of the page again, from its cache, with each new title.
    const url = request.url();
    // The counts are of the whole queue.
    if (url.includes('/operator/') && !/limit=1&withTotal|queue\/counts/.test(url))
      requests.push(`${request.method()} ${url}`);
  });
  const { keyboard } = page;

  await keyboard.press('j');
  await opened(page, 'Changed by its developer');
  await page.getByText('1 of 5').waitFor();
  await keyboard.press('v');
  await page.getByLabel('Reason (recorded with the change)').waitFor();
  await keyboard.press('Control+Enter');
  await opened(page, 'Two');
  await page.getByRole('status').getByText('Reverted the change of Changed by its developer').waitFor();
  await page.getByText('1 of 4').waitFor();
  await keyboard.press('a');
  await opened(page, 'Three');
  await page.getByRole('status').getByText('Approved Two').waitFor();
  await keyboard.press('r');
  await page.getByLabel('Message to the developer').waitFor();
  await keyboard.type('It does not respond: a, r, v and ? are only letters here.');
  await keyboard.press('Control+Enter');
  await opened(page, 'Four');
  await keyboard.press('j');
  await opened(page, 'Five');
  await page.getByText('2 of 2').waitFor();
  await keyboard.press('a');
  await opened(page, 'Four');
  await page.getByText('1 of 1').waitFor();
  await keyboard.press('a');
  await page.getByText('No app awaits review.').waitFor();
  const sent = requests.length;
  await sendDecisions(page);

  const revised = await getAppAsOperator(fixture.data.registry, ids[0] ?? '');
  assert.deepEqual([revised.name, revised.changedSinceApproval], ['Changed', false]);
  assert.deepEqual(await Promise.all(ids.slice(1).map(stateOf)), [
    ['APPROVED', undefined],
    ['REJECTED', 'It does not respond: a, r, v and ? are only letters here.'],
    ['APPROVED', undefined],
    ['APPROVED', undefined],
  ]);
  assert.ok(sent <= requestsPerApp * ids.length, `${sent}: ${requests.join('\n')}`);
});

async function opened(page: Page, name: string): Promise<void> {
  await page.locator('h1:focus', { hasText: new RegExp(`^${name}$`) }).waitFor();
  // A key that is pressed twice decides on one app, so that the next one cannot be decided on at once.
  await page.locator('.decision-steps button:enabled', { hasText: /Approve/ }).waitFor();
}
