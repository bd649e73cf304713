import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getOverview } from '@appregistrar/testkit/calls/overview';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { appRow } from '../../../test/storage/sample-rows.ts';
import type { AppRow } from '../../storage/tables.ts';
import { recordDailyCounts } from './daily-counts.ts';

const dayMs = 86_400_000;
const today = Date.parse('2026-03-01T12:00:00.000Z');
const none = { draft: 0, awaitingReview: 0, approved: 0, rejected: 0 };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = today;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const overview = () => getOverview(fixture.registry);

  test('an empty registry shows today with zero counts', async () => {
    assert.deepEqual(await overview(), {
      countedAt: '2026-03-01T12:00:00.000Z',
      apps: none,
      installations: 0,
      review: { awaiting: 0, more: false },
      days: [{ date: '2026-03-01', apps: none, installations: 0 }],
    });
  });

  test('apps are shown by status, with their installations, and the first in the queue', async () => {
    await fixture.newApp();
    await fixture.newApp({ status: 'REJECTED' });
    const approved = await fixture.newApp({ status: 'APPROVED' });
    for (let count = 0; count < 3; count += 1) await fixture.install(approved);
    const first = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    now += 60_000;
    await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const { apps, installations, review } = await overview();
    assert.deepEqual(apps, { draft: 1, awaitingReview: 2, approved: 1, rejected: 1 });
    assert.equal(installations, 3);
    assert.deepEqual(review, { awaiting: 2, more: false, oldestWaitingSince: '2026-03-01T12:00:00.000Z' });
    await fixture.review(first.id, 'approve');
    assert.deepEqual((await overview()).review, {
      awaiting: 1,
      more: false,
      oldestWaitingSince: '2026-03-01T12:01:00.000Z',
    });
  });

  test('the latest 90 days are shown, oldest first, and today with current counts', async () => {
    for (let before = 100; before >= -1; before -= 1) {
      if (before !== 2) await recordDailyCounts({ ...fixture.registry, now: () => today - before * dayMs });
    }
    const known = (await overview()).installations;
    await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    const { days } = await overview();
    assert.equal(days.length, 90);
    assert.deepEqual(
      days.map(({ date }) => date),
      days.map(({ date }) => date).toSorted(),
    );
    assert.deepEqual(
      days.slice(-3).map(({ date, installations }) => [date, installations]),
      [
        ['2026-02-26', known],
        ['2026-02-28', known],
        ['2026-03-01', known + 1],
      ],
    );
  });

  test('a long queue is counted up to a thousand', async () => {
    const apps = Array.from({ length: 1_000 }, (_, at) => waiting(at));
    await fixture.registry.storage.write((transaction) => transaction.insertNew('apps', apps));
    const { review } = await overview();
    assert.deepEqual(review, { awaiting: 1_000, more: true, oldestWaitingSince: '1970-01-01T00:00:00.077Z' });
  });

  test('a clock that was set back does not cause a failure', async () => {
    const { countedAt, days } = await getOverview({ ...fixture.registry, now: () => 0 });
    assert.deepEqual([countedAt, days.map(({ date }) => date)], ['1970-01-01T00:00:00.000Z', ['1970-01-01']]);
  });

  function waiting(at: number): AppRow {
    return appRow({
      id: `app_${String(at).padStart(6, '0')}`,
      developer_id: fixture.developer.id,
      name_key: `waiting ${at}`,
      name_claim: null,
      waiting_since: at === 7 ? 77 : today,
    });
  }
});
