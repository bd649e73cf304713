import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, forEachEngine, postgres, sqlite, testOn } from '@appregistrar/testkit/engines/engines';
import { requireStoredSchema } from './check-schema.ts';
import { findProgress, isMigrating } from './migration-progress.ts';
import { openStorage } from './open-storage.ts';
import { schemaVersion } from './schema-version.ts';
import type { Storage } from './storage.ts';
import { changeSchema } from './testing/change-schema.ts';
import { startChild } from './testing/child-process.ts';
import { promotingTrigger } from './testing/hostile-schemas.ts';
import { laterSchemas, laterVersion } from './testing/later-schemas.ts';
import { execute } from './testing/storage-test.ts';

/** More than two batches of a backfill. */
const appCount = 4_100;

const indexOfInstallations = 'create index installations_by_creation on installations (created_at, id)';

forEachEngine((engine) => {
  test('a migration that ends after any step continues with the next one', async () => {
    const { url, before, drop } = await filled(engine);
    let opened = 0;
    for (; !(await isOpened(url)); opened += 1) {
      // Programs of the first version that start meanwhile take the schema for a newer one.
      const stored = { engine: before.engine, reader: before.reader, schemas: laterSchemas };
      assert.ok((await schemaVersion(stored)) > 1);
      assert.ok(await isMigrating(stored));
    }
    assert.ok(opened >= 6, `${opened}`);
    await assertMigrated(url);
    await before.close();
    await drop();
  });

  test('processes that open an older database at the same time all succeed', async () => {
    const { url, before, drop } = await filled(engine);
    const open = `const storage = await openStorage(url, { schemas: laterSchemas });
      await storage.ping(); await storage.close();`;
    await Promise.all([1, 2, 3].map(() => startChild(url, open).ended));
    await assertMigrated(url);
    await before.close();
    await drop();
  });

  test('programs of the version before read and write between the steps', async () => {
    const { url, before, drop } = await filled(engine);
    let steps = 0;
    let writes = 0;
    let isMigrated = false;
    const writing = (async () => {
      while (!isMigrated) {
        await before.write((transaction) =>
          execute(transaction, `update apps set platform_revision = 2 where id = 'app_2'`),
        );
        assert.equal((await execute(before.reader, `select * from apps where id = 'app_1'`)).length, 1);
        if (steps > 0) writes += 1;
      }
    })();
    const storage = await openStorage(url, { schemas: laterSchemas, onMigrating: () => (steps += 1) });
    isMigrated = true;
    await storage.close();
    await writing;
    assert.ok(steps >= 6, `${steps} steps`);
    assert.ok(writes > 3, `${writes} writes`);
    await before.close();
    await drop();
  });

  test('a migration does not continue beside a foreign trigger', async () => {
    const { url, before, drop } = await filled(engine);
    assert.equal(await isOpened(url, 0), false);
    await changeSchema(url, promotingTrigger[before.engine]);
    await assert.rejects(openLater(url), /differs from version 2.*The trigger promote on access_tokens/);
    const stored = { engine: before.engine, reader: before.reader, schemas: laterSchemas };
    assert.deepEqual(await findProgress(stored), { version: 2, steps: 0, position: '' });
    await before.close();
    await drop();
  });

  test('a migration that needs the next version of programs shuts out the version before', async () => {
    const { url, before, drop } = await filled(engine);
    const [, later] = laterSchemas.migrations;
    const migrations = [laterSchemas.migrations[0], { ...later, usableFrom: 2 }] as typeof laterSchemas.migrations;
    const schemas = { ...laterSchemas, migrations, postgres: laterSchemas.postgres.slice(0, 2) };
    await (await openStorage(url, { schemas })).close();
    await assert.rejects(
      openStorage(url),
      /schema version 2, which needs a newer app-registry: this one knows version 1/,
    );
    await before.close();
    await drop();
  });

  test('a failed migration reports the cause, and continues once that is removed', async () => {
    const { url, before, drop } = await filled(engine);
    // Operators may add indexes, and this one has the name of one that the migration creates.
    await before.write((transaction) =>
      execute(transaction, 'create index installations_by_creation on installations (id)'),
    );
    await assert.rejects(
      openLater(url),
      /schema of the database cannot be created or upgraded: .*installations_by_creation.*already exists/,
    );
    await before.write((transaction) => execute(transaction, 'drop index installations_by_creation'));
    await assertMigrated(url);
    await before.close();
    await drop();
  });
});

testOn([postgres], 'reads go on while a step waits for a lock', async () => {
  const { url, before, drop } = await filled(postgres);
  const release = await hold(before, 'select id from apps limit 1');
  const waiting = Promise.withResolvers<void>();
  const opening = openLater(url, (line) => line.includes('waiting for a lock') && waiting.resolve());
  await waiting.promise;
  for (let read = 0; read < 10; read += 1) await execute(before.reader, 'select id from apps limit 1');
  await release();
  await (await opening).close();
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'writes go on while an index is built', async () => {
  const { url, before, drop } = await filled(postgres);
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
  await before.close();
  await drop();
});

testOn([postgres], 'a partly built index is built again', async () => {
  const { url, before, drop } = await filled(postgres);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [
    indexOfInstallations,
    `update pg_index set indisvalid = false where indexrelid = 'installations_by_creation'::regclass`,
  ]);
  await assertMigrated(url);
  await before.close();
  await drop();
});

testOn([postgres], 'an index that was completed but not recorded is used as it is', async () => {
  const { url, before, drop } = await filled(postgres);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [indexOfInstallations]);
  const oid = `select 'installations_by_creation'::regclass::oid as oid`;
  const created = await execute(before.reader, oid);
  await assertMigrated(url);
  assert.deepEqual(await execute(before.reader, oid), created);
  await before.close();
  await drop();
});

testOn([postgres], 'a statement that a killed process left waiting for a table may build the index first', async () => {
  const { url, before, drop } = await filled(postgres);
  assert.equal(await isOpened(url, 0), false);
  const release = await hold(before, 'lock table installations in share update exclusive mode');
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'index concurrently' and datname = current_database()`;
  const areWaiting = async (count: number) => {
    while ((await execute(before.reader, waiting)).length < count) await sleep(20);
  };
  const left = execute(before.reader, indexOfInstallations.replace('index', 'index concurrently')).catch(() => {});
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
  await before.close();
  await drop();
});

testOn([sqlite], 'a copy of a file whose migration is not complete is migrated when it is opened', async () => {
  const { url, before, drop } = await filled(sqlite);
  for (let step = 0; step < 3; step += 1) assert.equal(await isOpened(url), false);
  const copy = `${url}.copy`;
  await before.close();
  await copyFile(url.slice('sqlite:'.length), copy.slice('sqlite:'.length));
  await assertMigrated(copy);
  await drop();
});

/** A database of the current version with apps of each state, and a storage that knows only this version. */
async function filled(engine: Engine) {
  const { url, drop } = await engine.createMigratedDatabase();
  const before = await openStorage(url);
  const numbers = {
    sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${appCount})`,
    postgres: `with n (i) as (select generate_series(1, ${appCount}))`,
  };
  const statements = [
    `insert into developers (user_id, email, created_at, updated_at, revision_stamp)
      values ('user_1', 'ada@example.com', 1, 1, 'stamp_1')`,
    `insert into apps (id, developer_id, name, name_key, background_color, review_status, installation_count, revision,
        revision_stamp, platform_revision, platform_revision_stamp, created_at, updated_at) ${numbers[before.engine]}
      select 'app_' || i, 'user_1', 'App ' || i, 'app ' || i, '#ffffff', 'DRAFT', 0, 1, 'stamp_1', 1, 'stamp_1', 1, i from n`,
    `insert into installations (id, app_id, workspace_id, user_id, enabled, created_at)
      values ('installation_1', 'app_1', 'workspace_1', 'user_1', 1, 1)`,
  ];
  await before.write(async (transaction) => {
    for (const statement of statements) await execute(transaction, statement);
  });
  return { url, before, drop };
}

/** Opens a database with the program of the later versions. */
function openLater(url: string, onMigrating: (line: string) => void = () => {}): Promise<Storage> {
  return openStorage(url, { schemas: laterSchemas, onMigrating });
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

/** Opens a database, as a process that is killed after some steps of the migration. Returns whether it needs no more. */
async function isOpened(url: string, stepsMax = 1): Promise<boolean> {
  let lines = 0;
  const onMigrating = (line: string) => {
    if (line.startsWith('waiting')) return;
    lines += 1;
    if (lines > stepsMax) throw new Error('ended');
  };
  try {
    await (await openLater(url, onMigrating)).close();
    return true;
  } catch (error) {
    assert.match(String(error), /ended/);
    return false;
  }
}

async function assertMigrated(url: string): Promise<void> {
  const storage = await openLater(url);
  const expected = { version: laterVersion, isNewer: false, differences: [] };
  assert.deepEqual(await requireStoredSchema(storage), expected);
  assert.equal(await isMigrating(storage), false);
  assert.deepEqual(await execute(storage.reader, 'select id from apps where motto is null or motto <> id'), []);
  await storage.close();
}
