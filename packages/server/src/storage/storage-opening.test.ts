import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { findDeveloper } from '../features/developers/developer-queries.ts';
import { findEpoch } from './kernel-queries.ts';
import { knownSchemas } from './migrations/known-schemas.ts';
import { openStorage } from './open-storage.ts';
import { defineInsert } from './query.ts';
import { schemaVersion } from './schema.ts';
import type { Storage } from './storage.ts';
import { UnusableDatabase } from './storage-failure.ts';
import type { SchemaVersionRow } from './tables.ts';

const currentVersion = knownSchemas.migrations.length;

/** The tests of an engine whose database outlives a storage and can be shared by several. */
forEachEngine((engine) => {
  describe('opening', () => {
    const onStorage = emptiedStorage(engine);

    test('storages that open a new database at the same time all succeed and migrate it once', async () => {
      const { url, drop } = await engine.createDatabase();
      const storages = await Promise.all([1, 2, 3].map(() => openStorage(url, { create: true })));
      for (const storage of storages) {
        assert.equal(await schemaVersion(storage), currentVersion);
        // Each run of the migration inserts one row.
        assert.equal((await execute(storage.reader, 'select epoch from registry_epoch')).length, 1);
        await storage.close();
      }
      await drop();
    });

    onStorage('a reopened database has the same rows and epoch', async (storage, url) => {
      await storage.write((transaction) => defineInsert('developers')(transaction, developerRow()));
      const other = await openStorage(url);
      assert.ok(await findDeveloper(other.reader, { userId: 'user_1' }));
      assert.deepEqual(await findEpoch(other.reader, {}), await findEpoch(storage.reader, {}));
      await other.close();
    });

    onStorage('another storage reads at once what one has written', async (storage, url) => {
      const other = await openStorage(url);
      for (let at = 0; at < 4; at += 1) {
        const [writer, reader] = at % 2 === 0 ? [storage, other] : [other, storage];
        await writer.write((transaction) =>
          defineInsert('developers')(transaction, developerRow({ user_id: `user_${at}` })),
        );
        assert.ok(await findDeveloper(reader.reader, { userId: `user_${at}` }));
      }
      await other.close();
    });

    onStorage('a schema that is too new is refused and left unchanged', async (storage, url) => {
      await setVersion(storage, { version: 900, usable_from: currentVersion + 1 });
      const before = await describeSchema(storage);
      await assert.rejects(openStorage(url), (error) => {
        assert.ok(error instanceof UnusableDatabase);
        assert.match(error.message, /schema version 900.*Nothing was changed\. Upgrade app-registry/);
        return true;
      });
      assert.deepEqual(await describeSchema(storage), before);
    });

    onStorage('a newer schema that this program may use is accepted unchanged', async (storage, url) => {
      await setVersion(storage, { version: 900, usable_from: currentVersion });
      const before = await describeSchema(storage);
      const other = await openStorage(url);
      await other.write((transaction) => defineInsert('developers')(transaction, developerRow()));
      await other.close();
      assert.deepEqual(await describeSchema(storage), before);
    });

    onStorage('a database that an unreleased build made is refused and left unchanged', async (storage, url) => {
      await setVersion(storage, { version: currentVersion, usable_from: currentVersion });
      await storage.write((transaction) => execute(transaction, `update registry_schema set baseline = 'other'`));
      const before = await describeSchema(storage);
      for (const create of [false, true]) {
        await assert.rejects(openStorage(url, { create }), (error) => {
          assert.ok(error instanceof UnusableDatabase);
          assert.match(error.message, /made by an unreleased build of app-registry.*Nothing was changed\./);
          return true;
        });
      }
      assert.deepEqual(await describeSchema(storage), before);
    });

    storageTest(engine, 'a different table with the name of ours is refused', async (storage, url) => {
      await storage.write(async (transaction) => {
        await execute(transaction, 'drop table registry_schema');
        await execute(transaction, 'create table registry_schema (version bigint)');
      });
      await assert.rejects(openStorage(url), /it contains a different table registry_schema\. Nothing was changed\./);
    });

    storageTest(engine, 'a database of another program is refused and left unchanged', async (storage, url) => {
      await storage.write(async (transaction) => {
        await execute(transaction, 'drop table registry_schema');
        await execute(transaction, 'drop table registry_epoch');
      });
      await assert.rejects(openStorage(url, { create: true }), (error) => {
        assert.ok(error instanceof UnusableDatabase);
        assert.match(
          error.message,
          /^Another program, or an unreleased build of app-registry, made this database: it contains the \w+ \w+.*\. Nothing was changed\./,
        );
        return true;
      });
      await assert.rejects(execute(storage.reader, 'select * from registry_epoch'));
    });
  });
});

async function setVersion(
  storage: Storage,
  { version, usable_from }: Pick<SchemaVersionRow, 'version' | 'usable_from'>,
): Promise<void> {
  const update = `update registry_schema set version = ${version}, usable_from = ${usable_from}`;
  await storage.write((transaction) => execute(transaction, update));
}

async function describeSchema({ engine, reader }: Storage): Promise<unknown[]> {
  const question = {
    sqlite: 'select name, sql from sqlite_master order by name',
    postgres: `select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' order by table_name, column_name`,
  };
  return [await execute(reader, question[engine]), await execute(reader, 'select * from registry_schema')];
}
