import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sqlite } from 'app-registry-testkit/engines/engines';
import { createApp } from '../../server/src/registry/apps/create-app.ts';
import { recordDailyCounts } from '../../server/src/registry/overview/record-daily-counts.ts';
import { commandLine } from '../../server/src/registry/registry.ts';
import { reviewApp } from '../../server/src/registry/review/review-app.ts';
import { assertAccessible, ConsoleFixture } from './console-fixture.ts';

const dayMs = 86_400_000;

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
  await page.getByRole('heading', { name: 'Apps: 1' }).waitFor();
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
  await page.getByText('1 app awaits review; the first entered the queue 2 hours ago').waitFor();
  const approved = page.getByRole('row', { name: 'Approved' });
  assert.deepEqual(await approved.getByRole('cell').first().textContent(), '5');
  await approved.getByRole('img', { name: '62.5%' }).waitFor();
  await page.getByRole('img', { name: /^Installations: 0 on .*, 4 on / }).waitFor();
  await assertAccessible(page);
  await page.getByText('Day by day').focus();
  await page.keyboard.press('Enter');
  const days = page.getByRole('table').filter({ hasText: 'Day (UTC)' });
  assert.deepEqual(await days.locator('tbody td').allTextContents(), ['4', '3', '2', '1', '0']);
  await assertAccessible(page);

  await approved.getByRole('link', { name: 'Approved' }).click();
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  assert.equal(await page.getByLabel('Status').inputValue(), 'APPROVED');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Open the queue' }).click();
  await page.getByRole('link', { name: 'Waiting' }).waitFor();
});

test('the page fits the width of a phone', async () => {
  const page = await fixture.signedIn('#/overview', { viewport: { width: 360, height: 740 } });
  await page.getByText('Day by day').click();
  const [width, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(width, window);
  await assertAccessible(page);
});
