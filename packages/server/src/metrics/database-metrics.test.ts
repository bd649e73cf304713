import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import {
  type Engine,
  forEachEngine,
  on,
  postgres,
  sqlite,
  sqliteInMemory,
} from '@appregistrar/testkit/engines/engines';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Registry } from 'prom-client';
import { backupDatabase } from '../storage/backup.ts';
import { columns } from '../storage/tables.ts';
import { measureDatabase } from './registry-metrics.ts';

forEachEngine((engine) => {
  measuredTest(engine, 'each change is a timed commit and enlarges the database', async (fixture, scrape) => {
    const before = await scrape();
    for (let count = 0; count < 30; count += 1)
      await fixture.newApp({ listingInfo: { longDescription: randomBytes(2_000).toString('hex') } });
    const after = await scrape();
    const grown = (sample: string) => (after.value(sample) ?? Number.NaN) - (before.value(sample) ?? Number.NaN);
    assert.equal(grown('database_commit_duration_seconds_count'), 30);
    assert.ok(grown('database_commit_duration_seconds_sum') > 0);
    assert.ok(grown('database_size_bytes') > 50_000);
  });
});

forEachEngine((engine) => {
  measuredTest(engine, 'the rows and bytes of each table are estimated', async (fixture, scrape) => {
    for (let count = 0; count < 30; count += 1)
      await fixture.newApp({ listingInfo: { longDescription: randomBytes(2_000).toString('hex') } });
    if (engine.name === 'postgres') await execute(fixture.registry.storage.reader, 'analyze');
    const metrics = await scrape();
    assert.equal(metrics.value('database_table_rows{table="apps"}'), 30);
    assert.equal(metrics.value('database_table_rows{table="logos"}'), 0);
    const bytes = metrics.value('database_table_size_bytes{table="events"}') ?? 0;
    assert.ok(bytes > 30 * 1_000 && bytes < 30 * 20_000, String(bytes));
    for (const table of Object.keys(columns)) {
      assert.notEqual(metrics.value(`database_table_rows{table="${table}"}`), undefined, table);
    }
  });
});

describe('on SQLite', () => {
  measuredTest(sqlite, 'concurrent changes share a commit', async (fixture, scrape) => {
    // Creating an app reads nothing first, so that the eight are waiting when the first of them is executed.
    const newApps = () => Promise.all(Array.from({ length: 8 }, () => fixture.newApp()));
    await newApps();
    await newApps();
    const metrics = await scrape();
    assert.equal(metrics.value('database_commit_writes_sum'), 16);
    assert.equal(metrics.value('database_commit_writes_count'), 2);
    assert.equal(metrics.value('database_commit_writes_bucket{le="8"}'), 2);
    assert.equal(metrics.value('database_commit_writes_bucket{le="4"}'), 0);
    assert.equal(metrics.value('database_connections_waiting{pool="write"}'), undefined);
  });

  measuredTest(sqlite, 'the log, the disk and the last backup are measured', async (fixture, scrape) => {
    const file = fixture.databaseUrl.slice('sqlite:'.length);
    const before = await scrape();
    assert.equal(before.value('database_last_backup_timestamp_seconds'), 0);
    assert.ok((before.value('database_disk_free_bytes') ?? 0) > 0);
    await fixture.newApp();
    const at = new Date('2026-03-01T09:30:00.500Z');
    await backupDatabase(fixture.databaseUrl, join(dirname(file), 'copy.db'), at);
    const after = await scrape();
    assert.equal(after.value('database_last_backup_timestamp_seconds'), at.getTime() / 1_000);
    assert.equal(after.value('database_wal_bytes'), statSync(`${file}-wal`).size);
  });

  measuredTest(sqliteInMemory, 'an in-memory database has only a size', async (_, scrape) => {
    const names = [...(await scrape()).labels().keys()].filter((name) => !name.includes('commit'));
    assert.deepEqual(names, ['database_size_bytes', 'database_table_rows', 'database_table_size_bytes']);
  });
});

describe('on PostgreSQL', () => {
  measuredTest(postgres, 'waits for a connection are counted and timed', async (fixture, scrape) => {
    const { storage } = fixture.registry;
    const before = await scrape();
    const held = Promise.withResolvers<void>();
    const begun = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
    const writes = begun.map(({ resolve }) =>
      storage.write(async (transaction) => {
        await execute(transaction, 'select 1');
        resolve();
        await held.promise;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    const waiting = [fixture.newApp(), fixture.newApp()];
    const during = await scrape();
    assert.equal(during.value('database_connections_waiting{pool="write"}'), 2);
    assert.equal(during.value('database_connections_waiting{pool="read"}'), 0);
    held.resolve();
    await Promise.all([...writes, ...waiting]);
    const after = await scrape();
    assert.equal(after.value('database_connections_waiting{pool="write"}'), 0);
    const counted = (metrics: ScrapedMetrics) => metrics.value('database_connection_wait_seconds_count') ?? Number.NaN;
    assert.equal(counted(after) - counted(during), 2);
    assert.ok(counted(during) > counted(before), 'opening a connection also counts as a wait');
    assert.equal(after.value('database_commit_writes_count'), undefined);
  });
});

type Scrape = () => Promise<ScrapedMetrics>;

/** Declares a test on a registry with a measured database. */
function measuredTest(
  engine: Engine,
  guarantee: string,
  check: (fixture: RegistryFixture, scrape: Scrape) => Promise<void>,
): void {
  test(guarantee, on(engine), async () => {
    const fixture = await RegistryFixture.open(engine);
    const metrics = new Registry();
    measureDatabase(fixture.registry, metrics);
    await check(fixture, async () => new ScrapedMetrics(await metrics.metrics())).finally(() => fixture.close());
  });
}
