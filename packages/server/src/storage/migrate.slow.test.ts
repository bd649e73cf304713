import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, forEachEngine, postgres, sqlite, testOn } from '@appregistrar/testkit/engines/engines';
import { requireStoredSchema } from './check-schema.ts';
import { applyMigrations } from './migrate.ts';
import { findProgress, isMigrating } from './migration-progress.ts';
import { migrations } from './migrations/index.ts';
import { openStorage } from './open-storage.ts';
import { schemaVersion } from './schema-version.ts';
import type { Storage } from './storage.ts';
import { openAtVersion } from './testing/at-version.ts';
import { changeSchema } from './testing/change-schema.ts';
import { startChild } from './testing/child-process.ts';
import { promotingTrigger } from './testing/hostile-schemas.ts';
import { execute } from './testing/storage-test.ts';

/** More than two batches of a backfill. */
const appCount = 4_100;

forEachEngine((engine) => {
  test('a migration that ends after any step continues with the next one', async () => {
    const { url, before, drop } = await filledAt(engine, 1);
    let opened = 0;
    for (; !(await isOpened(url)); opened += 1) {
      // Programs of version 1 that start meanwhile take the schema for a newer one.
      assert.ok((await schemaVersion(before)) > 1);
      assert.ok(await isMigrating(before.reader, before.engine));
    }
    assert.ok(opened > 50, `${opened}`);
    await assertMigrated(url);
    await before.close();
    await drop();
  });

  test('processes that open an older database at the same time all succeed', async () => {
    const { url, before, drop } = await filledAt(engine, 4);
    const open = 'const storage = await openStorage(url); await storage.ping(); await storage.close();';
    await Promise.all([1, 2, 3].map(() => startChild(url, open).ended));
    await assertMigrated(url);
    await before.close();
    await drop();
  });

  test('older programs read and write between the steps', async () => {
    const { url, before, drop } = await filledAt(engine, 1);
    let steps = 0;
    let writes = 0;
    const writing = (async () => {
      while (await isBelow(before)) {
        await before.write((transaction) =>
          execute(transaction, `update apps set platform_revision = 2 where id = 'app_2'`),
        );
        assert.equal((await execute(before.reader, `select * from apps where id = 'app_1'`)).length, 1);
        if (steps > 0) writes += 1;
      }
    })();
    const storage = await openStorage(url, { onMigrating: () => (steps += 1) });
    await storage.close();
    await writing;
    assert.ok(steps > 50, `${steps} steps`);
    assert.ok(writes > 3, `${writes} writes`);
    await before.close();
    await drop();
  });

  test('a migration does not continue beside a foreign trigger', async () => {
    const { url, before, drop } = await filledAt(engine, 4);
    assert.equal(await isOpened(url, 0), false);
    await changeSchema(url, promotingTrigger[before.engine]);
    await assert.rejects(openStorage(url), /differs from version 5.*The trigger promote on access_tokens/);
    assert.deepEqual(await findProgress(before.reader, before.engine), { version: 5, steps: 0, position: '' });
    await before.close();
    await drop();
  });
});

testOn([postgres], 'reads go on while a step waits for a lock', async () => {
  const { url, before, drop } = await filledAt(postgres, 3);
  const release = await hold(before, 'select id from apps limit 1');
  const waiting = Promise.withResolvers<void>();
  const opening = openStorage(url, { onMigrating: (line) => line.includes('waiting for a lock') && waiting.resolve() });
  await waiting.promise;
  for (let read = 0; read < 10; read += 1) await execute(before.reader, 'select id from apps limit 1');
  await release();
  await (await opening).close();
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'writes go on while an index is built', async () => {
  const { url, before, drop } = await filledAt(postgres, 4);
  // PostgreSQL builds the index only once this transaction has ended.
  const release = await hold(before, 'update installations set enabled = 0');
  const opening = openStorage(url);
  const invalid = `select 1 from pg_index where indexrelid = 'whole_installations_of_app'::regclass and not indisvalid`;
  while ((await execute(before.reader, invalid).catch(() => [])).length === 0) await sleep(10);
  const insert = `insert into installations values ('installation_2', 'app_2', 'workspace_2', 'user_1', 1, 1)`;
  await before.write((transaction) => execute(transaction, insert));
  await release();
  await (await opening).close();
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'a partly built index is built again', async () => {
  const { url, before, drop } = await filledAt(postgres, 4);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [
    'create index whole_installations_of_app on installations (app_id, created_at, id, workspace_id, user_id, enabled)',
    `update pg_index set indisvalid = false where indexrelid = 'whole_installations_of_app'::regclass`,
  ]);
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'an index that was completed but not recorded is used as it is', async () => {
  const { url, before, drop } = await filledAt(postgres, 4);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [
    'create index whole_installations_of_app on installations (app_id, created_at, id, workspace_id, user_id, enabled)',
  ]);
  const oid = `select 'whole_installations_of_app'::regclass::oid as oid`;
  const created = await execute(before.reader, oid);
  await assertMigrated(url);
  assert.deepEqual(await execute(before.reader, oid), created);
  await before.close();
  await drop();
});

testOn([postgres], 'a statement that a killed process left waiting for a table may build the index first', async () => {
  const { url, before, drop } = await filledAt(postgres, 4);
  assert.equal(await isOpened(url, 0), false);
  const release = await hold(before, 'lock table installations in share update exclusive mode');
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'index concurrently' and datname = current_database()`;
  const areWaiting = async (count: number) => {
    while ((await execute(before.reader, waiting)).length < count) await sleep(20);
  };
  const left = execute(
    before.reader,
    'create index concurrently whole_installations_of_app on installations (app_id, created_at, id, workspace_id, user_id, enabled)',
  ).catch(() => {});
  await areWaiting(1);
  const lines: string[] = [];
  const opening = openStorage(url, { onMigrating: (line) => lines.push(line) });
  await areWaiting(2);
  while (!lines.some((line) => /waiting for earlier transactions.*whole_installations_of_app/.test(line)))
    await sleep(20);
  await release();
  await (await opening).close();
  await left;
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'a step waits for an older program that migrates in its own way', async () => {
  const { url, before, drop } = await filledAt(postgres, 4);
  const endRead = await hold(before, 'select from installations limit 1');
  const released = Promise.withResolvers<void>();
  let older: Promise<void> | undefined;
  const onMigrating = (line: string) => {
    if (line.includes('schema 5, step 2')) older ??= migrateTo6(before, endRead).finally(released.resolve);
  };
  const opening = openStorage(url, { onMigrating });
  await released.promise;
  await older;
  await (await opening).close();
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn(
  [postgres],
  'a trigger that stands for a generated column maintains it, and is part of the checked schema',
  async () => {
    const { url, before, drop } = await filledAt(postgres, 2);
    await assertMigrated(url);
    await before.write(async (transaction) => {
      await execute(transaction, 'update apps set revision = 7 where id = $$app_1$$');
      await execute(transaction, 'update apps set approved_revision = revision where id = $$app_4$$');
    });
    await assertMigrated(url);
    await changeSchema(url, [
      `create or replace function apps_changed_since_approval() returns trigger language plpgsql as
      $$ begin new.review_status := 'APPROVED'; return new; end $$`,
    ]);
    await assert.rejects(assertMigrated(url), /function apps_changed_since_approval\(\) is not part of app-registry/);
    await before.close();
    await drop();
  },
);

testOn([sqlite], 'a copy of a file whose migration is not complete is migrated when it is opened', async () => {
  const { url, before, drop } = await filledAt(sqlite, 1);
  for (let step = 0; step < 20; step += 1) assert.equal(await isOpened(url), false);
  const copy = `${url}.copy`;
  await before.close();
  await copyFile(url.slice('sqlite:'.length), copy.slice('sqlite:'.length));
  await assertMigrated(copy);
  await drop();
});

/** A database of a schema version with apps of each state, and a storage that knows only this version. */
async function filledAt(engine: Engine, version: number) {
  const { url, drop } = await engine.createDatabase();
  const before = await openAtVersion(url, version);
  const numbers = {
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${appCount})`,
    postgres: `with n (i) as (select generate_series(1, ${appCount}))`,
  };
  const statements = [
    `insert into developers values ('user_1', 'ada@example.com', null, null, 1, 1)`,
    `insert into apps (id, developer_id, name, name_key, background_color, review_status, approved_content, approved_revision,
        installation_count, revision, platform_revision, created_at, updated_at) ${numbers[before.engine]}
      select 'app_' || i, 'user_1', 'App ' || i, 'app ' || i, '#ffffff',
        case i % 3 when 0 then 'AWAITING_REVIEW' when 1 then 'APPROVED' else 'DRAFT' end,
        case i % 3 when 1 then '{}' end, case i % 3 when 1 then 1 end, 0, 1 + i % 2, 1, 1, i from n`,
    `insert into installations values ('installation_1', 'app_1', 'workspace_1', 'user_1', 1, 1)`,
  ];
  await before.write(async (transaction) => {
    for (const statement of statements) await execute(transaction, statement);
  });
  return { url, before, drop };
}

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

/** As the program of version 6, which has found version 5. It commits when a step of the current program waits. */
async function migrateTo6(storage: Storage, onChanged: () => Promise<void>): Promise<void> {
  await storage.write(async (transaction) => {
    await execute(transaction, 'select pg_advisory_xact_lock(7165301)');
    await applyMigrations(transaction, 'postgres', { from: 5, to: 6 });
    await execute(transaction, 'delete from schema_version');
    await execute(transaction, 'insert into schema_version (version, usable_from) values (6, 1)');
    await onChanged();
    const isWaiting = `select 1 from pg_locks where not granted and locktype in ('advisory', 'transactionid')`;
    while ((await execute(transaction, isWaiting)).length === 0) await sleep(1);
  });
}

/** Opens a database, as a process that is killed after some steps of the migration. Returns whether it needs no more. */
async function isOpened(url: string, stepsMax = 1): Promise<boolean> {
  let lines = 0;
  const onMigrating = (line: string) => {
    if (line.startsWith('waiting')) return;
    lines += 1;
    if (lines > stepsMax) throw new Error('ended');
  };
  try {
    await (await openStorage(url, { onMigrating })).close();
    return true;
  } catch (error) {
    assert.match(String(error), /ended/);
    return false;
  }
}

async function isBelow(storage: Storage): Promise<boolean> {
  return (await schemaVersion(storage)) < migrations.length || isMigrating(storage.reader, storage.engine);
}

async function assertMigrated(url: string): Promise<void> {
  const storage = await openStorage(url);
  const expected = { version: migrations.length, isNewer: false, differences: [] };
  assert.deepEqual(await requireStoredSchema(storage), expected);
  assert.equal(await isMigrating(storage.reader, storage.engine), false);
  const wrong = `select id from apps where changed_since_approval <> case when approved_revision <> revision then 1 else 0 end`;
  assert.deepEqual(await execute(storage.reader, wrong), []);
  await storage.close();
}
