import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine, postgres } from '@appregistrar/testkit/engines/engines';
import {
  assertMigrated,
  isOpened,
  olderDatabaseTest,
  openLater,
  startChild,
} from '@appregistrar/testkit/storage/later-schemas';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';

const buildIndex = 'create index concurrently installations_by_creation on installations (created_at, id)';

forEachEngine((engine) => {
  test('processes that open a new database at the same time all succeed, and end once they have closed it', async () => {
    const { url, drop } = await engine.createDatabase();
    // A connection left open in a pool would delay the end by ten seconds.
    const open = `const storage = await openStorage(url, { create: true });
      await Promise.all([1, 2, 3].map(() => storage.write(async () => {})));
      await storage.close();
      const closedAt = performance.now();
      process.on('exit', () => console.log(performance.now() - closedAt));`;
    const delaysMs = await Promise.all([1, 2, 3].map(() => startChild(url, open).ended));
    for (const delayMs of delaysMs) assert.ok(Number(delayMs) < 8_000, delayMs);
    const storage = await openStorage(url);
    assert.equal((await execute(storage.reader, 'select epoch from registry_epoch')).length, 1);
    await storage.close();
    await drop();
  });

  olderDatabaseTest(engine, 'processes that open an older database at the same time all succeed', async (_, url) => {
    const open = `const storage = await openStorage(url, { schemas: laterSchemas });
      await storage.ping(); await storage.close();`;
    await Promise.all([1, 2, 3].map(() => startChild(url, open).ended));
    await assertMigrated(url);
  });
});

olderDatabaseTest(postgres, 'reads go on while a step waits for a lock', async (before, url) => {
  const release = await hold(before, 'select id from apps limit 1');
  const waiting = Promise.withResolvers<void>();
  const opening = openLater(url, (line) => line.includes('waiting for a lock') && waiting.resolve());
  await waiting.promise;
  for (let read = 0; read < 10; read += 1) await execute(before.reader, 'select id from apps limit 1');
  await release();
  await (await opening).close();
  await assertMigrated(url);
});

olderDatabaseTest(postgres, 'writes go on while an index is built', async (before, url) => {
  // PostgreSQL builds the index only once this transaction has ended.
  const release = await hold(before, 'update installations set enabled = 0');
  const opening = openLater(url);
  const invalid = `select 1 from pg_index where indexrelid = 'installations_by_creation'::regclass and not indisvalid`;
  while ((await execute(before.reader, invalid).catch(() => [])).length === 0) await sleep(10);
  const insert = `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)
    values ('installation_2', 'app_2', 'workspace_2', 'user_1', 1, 1)`;
  await before.write((transaction) => execute(transaction, insert));
  await release();
  await (await opening).close();
  await assertMigrated(url);
});

olderDatabaseTest(
  postgres,
  'a statement that a killed process left waiting for a table may build the index first',
  async (before, url) => {
    assert.equal(await isOpened(url, 0), false);
    const release = await hold(before, 'lock table installations in share update exclusive mode');
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'index concurrently' and datname = current_database()`;
    const areWaiting = async (count: number) => {
      while ((await execute(before.reader, waiting)).length < count) await sleep(20);
    };
    const left = execute(before.reader, buildIndex).catch(() => {});
    await areWaiting(1);
    const lines: string[] = [];
    const opening = openLater(url, (line) => lines.push(line));
    await areWaiting(2);
    while (!lines.some((line) => /waiting for earlier transactions.*installations_by_creation/.test(line)))
      await sleep(20);
    await release();
    await (await opening).close();
    await left;
    await assertMigrated(url);
  },
);

/** Executes a statement in a transaction that stays open. Returns what commits it. */
async function hold(storage: Storage, statement: string): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = storage.write(async (transaction) => {
    await execute(transaction, statement);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return () => {
    released.resolve();
    return holding;
  };
}
