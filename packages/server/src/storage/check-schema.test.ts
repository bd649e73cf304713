import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachEngine, on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { laterSchemas } from '@appregistrar/testkit/storage/later-schemas';
import {
  hostilePostgresSchemas,
  hostileSqliteSchemas,
  promotingTrigger,
} from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { knownSchemas } from './migrations/known-schemas.ts';
import { openStorage } from './open-storage.ts';
import { type CheckedSchema, checkSchema, requireStoredSchema } from './schema.ts';
import { UnusableDatabase } from './storage-failure.ts';

forEachEngine((engine) => {
  storageTest(engine, 'a new database has the expected schema', async (storage) => {
    const version = knownSchemas.migrations.length;
    assert.deepEqual(await requireStoredSchema(storage), { version, isNewer: false, differences: [] });
  });

  test('a foreign trigger prevents a migration, which changes nothing', async () => {
    const { url, drop } = await engine.createMigratedDatabase();
    const before = await openStorage(url);
    await before.write(async (transaction) => {
      for (const statement of promotingTrigger[before.engine]) await execute(transaction, statement);
    });
    await assert.rejects(
      openStorage(url, { schemas: laterSchemas }),
      isForeign(/differs from version 1.*The trigger promote on access_tokens/),
    );
    assert.deepEqual(await execute(before.reader, 'select version from registry_schema'), [{ version: 1 }]);
    await before.close();
    await drop();
  });

  storageTest(engine, 'an index over columns may be added, and the tables may be analyzed', async (storage) => {
    await storage.write(async (transaction) => {
      await execute(transaction, 'create index ours_by_time on apps (created_at desc, id)');
      await execute(transaction, 'analyze apps');
    });
    assert.deepEqual(reportedOf(await requireStoredSchema(storage)), []);
  });

  storageTest(engine, 'a newer schema is not compared', async (storage) => {
    await storage.write((transaction) => execute(transaction, 'update registry_schema set version = 900'));
    assert.deepEqual(await requireStoredSchema(storage), { version: 900, isNewer: true, differences: [] });
  });

  storageTest(engine, 'a message lists the first ten differences, without control characters', async (storage, url) => {
    const names = Array.from({ length: 11 }, (_, at) => `evil\u001b[2J\n${String(at).padStart(2, '0')}`);
    const statements = names.map((name) => `create unique index "${name}" on apps (id)`);
    await changeSchema(url, statements);
    await assert.rejects(requireStoredSchema(storage), (error) => {
      assert.ok(error instanceof UnusableDatabase);
      assert.equal(error.message.match(/is not part of app-registry/g)?.length, 10);
      assert.match(error.message, /The index evil\\u\{1b\}\[2J 00 on apps is not part .* And 1 more\. /);
      assert.doesNotMatch(error.message, /\p{Cc}/u);
      return true;
    });
  });
});

describe('a foreign schema is reported', () => {
  for (const [engine, schemas] of [
    [sqlite, hostileSqliteSchemas],
    [postgres, hostilePostgresSchemas],
  ] as const) {
    for (const { what, statements, reported } of schemas) {
      test(`${engine.name}: ${what}`, on(engine), async () => {
        const { url, drop } = await engine.createMigratedDatabase();
        await changeSchema(url, statements);
        const storage = await openStorage(url);
        await assert.rejects(requireStoredSchema(storage), isForeign(/differs from version/));
        const found = reportedOf(await checkSchema(storage, storage.reader));
        for (const one of reported) assert.ok(found.includes(one), `${one} is not among: ${found.join(', ')}`);
        await storage.close();
        await drop();
      });
    }
  }

  test('sqlite: texts of another encoding', on(sqlite), async () => {
    const { url, drop } = await sqlite.createDatabase();
    await changeSchema(url, [`pragma encoding = 'UTF-16'`, 'create table t (a)', 'drop table t']);
    await assert.rejects(
      openStorage(url, { create: true }),
      isForeign(/encoding of the database.*"UTF-16le" instead of "UTF-8"/),
    );
    await drop();
  });

  test('postgres: a reference that is not enforced', on(postgres), async () => {
    const { url, drop } = await postgres.createMigratedDatabase();
    await changeSchema(url, ['alter table sessions disable trigger all']);
    const storage = await openStorage(url);
    await assert.rejects(
      requireStoredSchema(storage),
      isForeign(/trigger RI_\w+ on sessions is not part of app-registry: "disabled /),
    );
    await storage.close();
    await drop();
  });
});

test('foreign tables and views are not reported, even when they refer to ours', on(postgres), async () => {
  const { url, drop } = await postgres.createMigratedDatabase();
  await changeSchema(url, [
    'create table reports (app_id text collate "C" references apps, seen text unique check (seen <> $$$$))',
    'create view app_names as select name from apps',
    'create schema other',
    'create table other.apps (id text unique)',
  ]);
  const storage = await openStorage(url);
  assert.deepEqual(reportedOf(await requireStoredSchema(storage)), []);
  await storage.close();
  await drop();
});

function reportedOf({ differences }: CheckedSchema): string[] {
  return differences.map(({ code, object }) => `${code} ${object}`);
}

function isForeign(why: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, why);
    return true;
  };
}
