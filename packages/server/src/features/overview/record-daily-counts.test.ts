import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { openStorage } from '../../storage/open-storage.ts';
import { isRecentlyCounted, recordDailyCounts } from './daily-counts.ts';

const midnight = Date.parse('2026-03-01T00:00:00.000Z');

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = midnight;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const stored = () => rowsOf(fixture.registry.storage, 'daily_counts');

  test('a day, in UTC, has the latest counts made on it', async () => {
    const { registry } = fixture;
    now = midnight - 1;
    await recordDailyCounts(registry);
    now = midnight;
    await fixture.newApp();
    await recordDailyCounts(registry);
    now += 3_600_000;
    await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    await recordDailyCounts(registry);
    const none = { awaiting_review_apps: 0, rejected_apps: 0 };
    assert.deepEqual(await stored(), [
      { ...none, day: '2026-02-28', draft_apps: 0, approved_apps: 0, installations: 0, counted_at: midnight - 1 },
      { ...none, day: '2026-03-01', draft_apps: 1, approved_apps: 1, installations: 1, counted_at: now },
    ]);
  });

  test('every process knows whether any has counted within the last half hour', async () => {
    const { registry } = fixture;
    now = midnight - 2;
    // All counts are from the future.
    assert.equal(await isRecentlyCounted(registry), false);
    now = midnight - 1;
    // Those from the future hide no others.
    assert.equal(await isRecentlyCounted(registry), true);
    now = midnight + 3_600_000;
    assert.equal(await isRecentlyCounted(registry), true);
    now += 1_799_999;
    assert.equal(await isRecentlyCounted(registry), true);
    now += 1;
    assert.equal(await isRecentlyCounted(registry), false);
  });

  test('processes that record concurrently leave one row', async () => {
    const { registry } = fixture;
    now = midnight + 86_400_000;
    const other = { ...registry, storage: await openStorage(fixture.databaseUrl) };
    await Promise.all([registry, other, registry, other].map((one) => recordDailyCounts(one)));
    await other.storage.close();
    assert.equal((await stored()).filter(({ day }) => day === '2026-03-02').length, 1);
  });
});
