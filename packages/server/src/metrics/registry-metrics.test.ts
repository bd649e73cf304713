import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Engine, forEachEngine, onSqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Registry } from 'prom-client';
import { updateLastUsedAt } from '../features/access/access-queries.ts';
import { requireReady } from '../http/operator/operator-routes.ts';
import { backupDatabase } from '../storage/backup.ts';
import { openStorage } from '../storage/open-storage.ts';
import { measureDatabase, measuredGauge, measureRegistry, watchClock } from './registry-metrics.ts';

const dayMs = 86_400_000;
const named = { name: 'size', help: 'Size.' };
const expiry = (kind: string) => `access_token_soonest_expiry_timestamp_seconds{kind="${kind}"}`;

test('a gauge is measured when it is read, and omitted when measuring fails', async () => {
  const metrics = new Registry();
  let size: number | undefined = 7;
  const measure = async () => size ?? Promise.reject(new Error('the database is lost'));
  measuredGauge(metrics, { ...named, measure });
  measuredGauge(metrics, { ...named, name: 'ready', otherwise: 0, measure });
  assert.deepEqual(await samples(metrics), ['size 7', 'ready 7']);
  size = undefined;
  assert.deepEqual(await samples(metrics), ['ready 0']);
  size = 0;
  assert.deepEqual(await samples(metrics), ['size 0', 'ready 0']);
});

test('a label has only the values of the last measurement', async () => {
  const metrics = new Registry();
  let measured: Record<string, number> = { platform: 1, operator: 2 };
  measuredGauge(metrics, { ...named, label: 'kind', measure: async () => measured });
  assert.deepEqual(await samples(metrics), ['size{kind="platform"} 1', 'size{kind="operator"} 2']);
  measured = { operator: 3 };
  assert.deepEqual(await samples(metrics), ['size{kind="operator"} 3']);
});

test('an unresponsive measurement runs once for all readers, and is omitted once it takes too long', async () => {
  const metrics = new Registry();
  let measurements = 0;
  const measured = Promise.withResolvers<number>();
  const tooLate = Promise.withResolvers<void>();
  let waiting = tooLate.promise;
  measuredGauge(metrics, {
    ...named,
    tooLate: () => waiting,
    measure: () => {
      measurements += 1;
      return measured.promise;
    },
  });
  measuredGauge(metrics, { ...named, name: 'other', measure: async () => 1 });
  const both = Promise.all([samples(metrics), samples(metrics)]);
  tooLate.resolve();
  assert.deepEqual(await both, [['other 1'], ['other 1']]);
  assert.equal(measurements, 1);
  waiting = Promise.withResolvers<void>().promise;
  const read = samples(metrics);
  measured.resolve(5);
  assert.deepEqual(await read, ['size 5', 'other 1']);
  assert.equal(measurements, 1);
});

const ofEvery = [
  'database_commit_duration_seconds',
  'database_size_bytes',
  'database_table_rows',
  'database_table_size_bytes',
];

const names: Record<Engine['name'], string[]> = {
  'sqlite in memory': [...ofEvery, 'database_commit_writes'],
  sqlite: [
    ...ofEvery,
    'database_commit_writes',
    'database_disk_free_bytes',
    'database_last_backup_timestamp_seconds',
    'database_wal_bytes',
  ],
  postgres: [
    ...ofEvery,
    'database_clock_offset_seconds',
    'database_connection_wait_seconds',
    'database_connections_waiting',
    'database_timeline_changes_total',
  ],
};

forEachEngine(exported);
exported(sqliteInMemory);

/** Declares a test of what an engine measures, which the tests of storage are about. */
function exported(engine: Engine): void {
  test(`all that ${engine.name} measures is exported, in seconds and bytes`, async () => {
    const fixture = await RegistryFixture.open(engine);
    const { storage } = fixture.registry;
    const registry = new Registry();
    measureDatabase(fixture.registry, registry);
    await Promise.all([fixture.newApp(), fixture.newApp()]);
    const at = new Date('2026-03-01T09:30:00.500Z');
    if (engine.name === 'sqlite')
      await backupDatabase(
        fixture.databaseUrl,
        join(dirname(fixture.databaseUrl.slice('sqlite:'.length)), 'copy.db'),
        at,
      );
    if (engine.name === 'postgres') await execute(storage.reader, 'analyze');
    const metrics = new ScrapedMetrics(await registry.metrics());

    const found = [...metrics.labels().keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    assert.deepEqual([...new Set(found)].toSorted(), names[engine.name].toSorted());
    assert.ok((metrics.value('database_commit_duration_seconds_sum') ?? 0) > 0);
    assert.equal(metrics.value('database_table_rows{table="apps"}'), 2);
    const { tables, walBytes } = storage.measures;
    const sizes = ['database_table_size_bytes{table="events"}', 'database_wal_bytes'];
    assert.ok((metrics.value('database_size_bytes') ?? 0) > 10_000);
    assert.deepEqual(
      sizes.map((name) => metrics.value(name)),
      [(await tables()).events?.bytes, await walBytes?.()],
    );
    if (engine.name === 'postgres') {
      assert.equal(metrics.value('database_connections_waiting{pool="write"}'), 0);
      assert.ok((metrics.value('database_connection_wait_seconds_count') ?? 0) > 0);
    } else {
      assert.ok((metrics.value('database_commit_writes_sum') ?? 0) >= 2);
    }
    if (engine.name === 'sqlite') {
      assert.ok((metrics.value('database_disk_free_bytes') ?? 0) > 0);
      assert.equal(metrics.value('database_last_backup_timestamp_seconds'), at.getTime() / 1_000);
    }
    await fixture.close();
  });
}

onSqlite((engine) => {
  test('the ready metric is 1 until the server drains or the database is lost, and other metrics stay available', async () => {
    const fixture = await RegistryFixture.open(engine);
    const storage = await openStorage(fixture.databaseUrl);
    const registry = { ...fixture.registry, storage };
    const metrics = new Registry();
    const { signal: serving } = new AbortController();
    const ping = () => storage.ping();
    measureDatabase(registry, metrics);
    measureRegistry(registry, metrics, () => requireReady({ draining: serving, ping }));
    const scrape = async () => new ScrapedMetrics(await metrics.metrics());
    assert.equal((await scrape()).value('registry_ready'), 1);
    const drained = new Registry();
    measureRegistry(registry, drained, () => requireReady({ draining: AbortSignal.abort(), ping }));
    assert.equal(new ScrapedMetrics(await drained.metrics()).value('registry_ready'), 0);
    await storage.close();
    const lost = await scrape();
    assert.equal(lost.value('registry_ready'), 0);
    assert.ok(lost.value('database_commit_duration_seconds_count'), 'of the pings');
    await fixture.close();
  });

  test('the earliest expiry of a kind is exported in seconds once a token is in use', async () => {
    const fixture = await RegistryFixture.open(engine);
    const { registry } = fixture;
    const metrics = new Registry();
    measureRegistry(registry, metrics, async () => {});
    const before = registry.now();
    const { id } = await fixture.newToken('platform', { expiresIn: 20 * 86_400 });
    const scrape = async () => new ScrapedMetrics(await metrics.metrics());
    assert.equal((await scrape()).value(expiry('platform')), undefined);
    await registry.storage.write((transaction) =>
      updateLastUsedAt(transaction, { ids: [id], hour: before, now: before }),
    );
    const scraped = await scrape();
    const inSeconds = (scraped.value(expiry('platform')) ?? Number.NaN) - before / 1_000;
    assert.ok(inSeconds >= 20 * 86_400 && inSeconds < 20 * 86_400 + 60, String(inSeconds));
    assert.equal(scraped.value(expiry('operator')), undefined);
    await fixture.close();
  });
});

test('each jump of the clock is counted and reported once; passing time and small corrections are not', async ({
  mock,
}) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let uptimeMs = dayMs;
  const machine = { bootId: 'boot', uptimeMs: () => uptimeMs };
  const fixture = await RegistryFixture.open(sqliteInMemory, { now: () => now, machine });
  mock.timers.enable({ apis: ['setInterval'] });
  const metrics = new Registry();
  const jumps: number[] = [];
  const end = watchClock(fixture.registry, metrics, (jumpMs) => jumps.push(jumpMs));
  const pass = (ms: number, jumpMs = 0) => {
    uptimeMs += ms;
    now += ms + jumpMs;
    mock.timers.tick(1_000);
  };
  const counted = async () => new ScrapedMetrics(await metrics.metrics()).value('clock_jumps_total');
  for (let corrections = 0; corrections < 10; corrections += 1) pass(1_000, 4_999);
  // The machine was asleep, or the process stopped.
  pass(dayMs);
  assert.deepEqual([jumps, await counted()], [[], 0]);
  pass(1_000, 80 * dayMs);
  pass(1_000);
  assert.deepEqual([jumps, await counted()], [[80 * dayMs], 1]);
  pass(1_000, -80 * dayMs);
  assert.deepEqual([jumps, await counted()], [[80 * dayMs, -80 * dayMs], 2]);
  end();
  pass(1_000, dayMs);
  assert.equal(jumps.length, 2);
  await fixture.close();
});

async function samples(metrics: Registry): Promise<string[]> {
  return (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
