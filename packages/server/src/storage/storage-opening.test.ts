import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerIds, storeDevelopers } from '../../test/storage/sample-rows.ts';
import { findEpoch } from './kernel-queries.ts';
import { knownSchemas } from './migrations/known-schemas.ts';
import { openStorage } from './open-storage.ts';
import { schemaVersion } from './schema.ts';
import type { Storage } from './storage.ts';
import { UnusableDatabase } from './storage-failure.ts';

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

    onStorage(
      'a reopened database has the same rows and epoch, and each storage reads what the other has written',
      async (storage, url) => {
        await storeDevelopers(storage, 'user_1');
        const other = await openStorage(url);
        assert.deepEqual(await findEpoch(other.reader, {}), await findEpoch(storage.reader, {}));
        assert.deepEqual(await developerIds(other.reader), ['user_1']);
        await storeDevelopers(other, 'user_2');
        assert.deepEqual(await developerIds(storage.reader), ['user_1', 'user_2']);
        await storeDevelopers(storage, 'user_3');
        assert.deepEqual(await developerIds(other.reader), ['user_1', 'user_2', 'user_3']);
        await other.close();
      },
    );

    onStorage('a newer schema that this program may use is accepted unchanged', async (storage, url) => {
      const before = await changeVersion(storage, `version = 900, usable_from = ${currentVersion}`);
      const other = await openStorage(url);
      await storeDevelopers(other, 'user_1');
      await other.close();
      assert.deepEqual(await describeSchema(storage), before);
    });

    const current = `version = ${currentVersion}, usable_from = ${currentVersion}`;
    const refused: [what: string, change: string, why: RegExp][] = [
      [
        'a schema that is too new',
        `version = 900, usable_from = ${currentVersion + 1}`,
        /schema version 900.*Nothing was changed\. Upgrade app-registry/,
      ],
      [
        'a database that an unreleased build made',
        `${current}, baseline = 'other'`,
        /made by an unreleased build of app-registry.*Nothing was changed\./,
      ],
    ];
    for (const [what, change, why] of refused) {
      onStorage(`${what} is refused and left unchanged`, async (storage, url) => {
        const before = await changeVersion(storage, change);
        for (const create of [false, true]) await assert.rejects(openStorage(url, { create }), isUnusable(why));
        assert.deepEqual(await describeSchema(storage), before);
        await changeVersion(storage, `${current}, baseline = '${knownSchemas.baseline}'`);
      });
    }

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
      const why =
        /^Another program, or an unreleased build of app-registry, made this database: it contains the \w+ \w+.*\. Nothing was changed\./;
      await assert.rejects(openStorage(url, { create: true }), isUnusable(why));
      await assert.rejects(execute(storage.reader, 'select * from registry_epoch'));
    });
  });
});

function isUnusable(why: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, why);
    return true;
  };
}

/** Changes what is recorded of the schema. Returns the schema. */
async function changeVersion(storage: Storage, change: string): Promise<unknown[]> {
  await storage.write((transaction) => execute(transaction, `update registry_schema set ${change}`));
  return describeSchema(storage);
}

async function describeSchema({ engine, reader }: Storage): Promise<unknown[]> {
  const question = {
    sqlite: 'select name, sql from sqlite_master order by name',
    postgres: `select table_name, column_name, data_type from information_schema.columns
      where table_schema = 'public' order by table_name, column_name`,
  };
  return [await execute(reader, question[engine]), await execute(reader, 'select * from registry_schema')];
}
