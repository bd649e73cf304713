import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createApp } from '@appregistrar/testkit/calls/apps';
import { getStatistics } from '@appregistrar/testkit/calls/overview';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import type { Locator } from 'playwright-core';
import { countInstallationChanges } from '../../server/src/features/overview/count-installation-changes.ts';
import { recordDailyCounts } from '../../server/src/features/overview/daily-counts.ts';
import { commandLine } from '../../server/src/kernel/registry.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const dayMs = 86_400_000;

/** What took a busy machine long to count is shown for up to a minute. */
async function reloadUntil(shown: Locator): Promise<void> {
  const page = shown.page();
  for (;;) {
    await page.locator('[aria-busy=false] .queue').first().or(page.getByText('No apps yet')).waitFor();
    if ((await shown.count()) > 0) return;
    await setTimeout(1_000);
    await page.reload();
  }
}

let fixture: ConsoleFixture;
before(async () => {
  fixture = await ConsoleFixture.open(sqlite);
});
after(() => fixture.close());

test('the overview of an empty registry shows how to get started', async () => {
  const page = await fixture.signedIn('#/overview');
  await page.getByText('No apps yet').waitFor();
  await assertAccessible(page);
});

test('a registry on its first day shows its numbers, but no curve', async () => {
  await fixture.data.newApp({ status: 'APPROVED' });
  const page = await fixture.signedIn('#/overview');
  await reloadUntil(page.getByRole('heading', { name: 'Apps: 1' }));
  await page.getByText('No app awaits review.').waitFor();
  await page.getByText('The chart starts on the second day').waitFor();
  await assertAccessible(page);
});

test('the overview shows apps by status, installations by day, and how long the first in the queue has waited', async () => {
  const { data } = fixture;
  const { registry } = data;
  const twoHoursAgo = { ...registry, now: () => Date.now() - 2.5 * 3_600_000 };
  for (const daysAgo of [9, 8, 4, 1]) {
    await recordDailyCounts({ ...registry, now: () => Date.now() - daysAgo * dayMs });
    await data.install(await data.newApp({ status: 'APPROVED' }));
  }
  await data.newApp({ status: 'REJECTED' });
  const { developerId } = await data.newApp();
  const { id: appId } = await createApp(twoHoursAgo, commandLine, { developerId, name: 'Waiting' });
  await reviewApp(twoHoursAgo, commandLine, { appId, step: 'submit' });
  const page = await fixture.signedIn('#/overview');
  await reloadUntil(page.getByText('1 app awaits review; the first entered the queue 2 hours ago'));
  const approved = page.getByRole('row', { name: 'Approved' });
  assert.deepEqual(await approved.getByRole('cell').first().textContent(), '5');
  await approved.getByRole('img', { name: '62.5%' }).waitFor();
  await page.getByRole('img', { name: /^Installations: 0 on .*, 4 on / }).waitFor();
  await page.getByText('Day by day').focus();
  await page.keyboard.press('Enter');
  const days = page.getByRole('table').filter({ hasText: 'Day (UTC)' });
  assert.deepEqual(await days.locator('tbody td').allTextContents(), ['4', '3', '2', '1', '0']);
  await assertAccessible(page);

  await approved.getByRole('link', { name: 'Approved' }).click();
  await page.getByRole('heading', { name: 'Apps', exact: true }).waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), 'APPROVED');
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByRole('link', { name: 'Open the queue' }).click();
  await page.getByRole('link', { name: 'Waiting' }).waitFor();
});

test('the overview shows decisions, waiting times and installations by week, each value also in a table', async () => {
  const { data } = fixture;
  const { registry } = data;
  const lastWeek = { ...registry, now: () => Date.now() - 7 * dayMs };
  const { developerId } = await data.newApp();
  const { id: appId } = await createApp(lastWeek, commandLine, { developerId, name: 'Waited for a week' });
  await reviewApp(lastWeek, commandLine, { appId, step: 'submit' });
  await reviewApp(registry, commandLine, { appId, step: 'approve' });
  await countInstallationChanges(registry, { signal: new AbortController().signal });
  const statistics = (await getStatistics(registry)).weeks.at(-1);
  assert.ok(statistics);
  const { approved, rejected, changesRejected, revoked } = statistics.decisions;
  const page = await fixture.signedIn('#/overview');
  const decisions = page.getByRole('region', { name: 'Decisions' });
  await reloadUntil(decisions.getByText(`${approved} approved, ${rejected} rejected`));
  await reloadUntil(page.getByRole('region', { name: 'Fastest-growing apps' }));
  const weekOf = async (section: string) => {
    const shown = page.getByRole('region', { name: section, exact: true });
    await shown.getByText('Week by week').click();
    return shown.locator('tbody tr').first().locator('td').allTextContents();
  };
  assert.deepEqual(await weekOf('Decisions'), [approved, rejected, changesRejected, revoked].map(String));
  assert.deepEqual(await weekOf('Installations and removals'), ['4', '0']);
  await page.getByRole('region', { name: 'Fastest-growing apps' }).getByRole('row').nth(4).waitFor();
});

test('the overview says that webhooks are failing, with a link for those who may open them', async () => {
  const { registry } = fixture.data;
  const { id } = await createWebhook(registry, commandLine, { url: 'https://hooks.example.com/' });
  const setFailing = `update webhooks set failing_since = 1 where id = '${id}'`;
  await registry.storage.write((transaction) => execute(transaction, setFailing));
  const page = await fixture.signedIn('#/overview');
  await reloadUntil(page.getByText('1 webhook is failing.'));
  await page.getByRole('link', { name: 'Open the webhooks' }).waitFor();
  const reader = await fixture.signedIn('#/overview', { scopes: ['read'] });
  await reader.getByText('1 webhook is failing.').waitFor();
  assert.equal(await reader.getByRole('link', { name: 'Open the webhooks' }).count(), 0);
});

test('the page fits the width of a phone', async () => {
  const page = await fixture.signedIn('#/overview', { viewport: { width: 360, height: 740 } });
  await page.getByText('Day by day').click();
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(width, window);
  await assertAccessible(page);
});
