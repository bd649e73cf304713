import assert from 'node:assert/strict';
import { forEachEngine, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import {
  assertMigrated,
  isOpened,
  laterSchemas,
  olderDatabaseTest,
  openLater,
} from '@appregistrar/testkit/storage/later-schemas';
import { promotingTrigger } from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema, execute } from '@appregistrar/testkit/storage/storage-test';
import { backupDatabase } from './backup.ts';
import { openStorage } from './open-storage.ts';
import { findProgress, isMigrating, schemaVersion } from './schema.ts';
import type { Storage } from './storage.ts';

const indexOfInstallations = 'create index installations_by_creation on installations (created_at, id)';

forEachEngine((engine) => {
  olderDatabaseTest(engine, 'a migration that ends after any step continues with the next one', async (before, url) => {
    let opened = 0;
    for (; !(await isOpened(url)); opened += 1) {
      // Programs of the first version that start meanwhile take the schema for a newer one.
      const stored = storedIn(before);
      assert.ok((await schemaVersion(stored)) > 1);
      assert.ok(await isMigrating(stored));
      // They read and write between the steps.
      await before.write((transaction) =>
        execute(transaction, `update apps set platform_revision = ${opened + 2} where id = 'app_2'`),
      );
      const read = await execute(before.reader, `select platform_revision from apps where id = 'app_2'`);
      assert.deepEqual(read, [{ platform_revision: opened + 2 }]);
    }
    assert.ok(opened >= 6, `${opened}`);
    await assertMigrated(url);
  });

  olderDatabaseTest(engine, 'a migration does not continue beside a foreign trigger', async (before, url) => {
    assert.equal(await isOpened(url, 0), false);
    await changeSchema(url, promotingTrigger[before.engine]);
    await assert.rejects(openLater(url), /differs from version 2.*The trigger promote on access_tokens/);
    assert.deepEqual(await findProgress(storedIn(before)), { version: 2, steps: 0, position: '' });
  });

  olderDatabaseTest(
    engine,
    'a migration that needs the next version of programs shuts out the version before',
    async (_, url) => {
      const [, later] = laterSchemas.migrations;
      const migrations = [laterSchemas.migrations[0], { ...later, usableFrom: 2 }] as typeof laterSchemas.migrations;
      const schemas = { ...laterSchemas, migrations, postgres: laterSchemas.postgres.slice(0, 2) };
      await (await openStorage(url, { schemas })).close();
      await assert.rejects(
        openStorage(url),
        /schema version 2, which needs a newer app-registry: this one knows version 1/,
      );
    },
  );

  olderDatabaseTest(
    engine,
    'a failed migration reports the cause, and continues once that is removed',
    async (before, url) => {
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
    },
  );
});

olderDatabaseTest(postgres, 'a partly built index is built again', async (_, url) => {
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [
    indexOfInstallations,
    `update pg_index set indisvalid = false where indexrelid = 'installations_by_creation'::regclass`,
  ]);
  await assertMigrated(url);
});

olderDatabaseTest(postgres, 'an index that was completed but not recorded is used as it is', async (before, url) => {
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [indexOfInstallations]);
  const oid = `select 'installations_by_creation'::regclass::oid as oid`;
  const created = await execute(before.reader, oid);
  await assertMigrated(url);
  assert.deepEqual(await execute(before.reader, oid), created);
});

olderDatabaseTest(
  sqlite,
  'a copy of a file whose migration is not complete is migrated when it is opened',
  async (_, url) => {
    for (let step = 0; step < 3; step += 1) assert.equal(await isOpened(url), false);
    const copy = `${url}.copy`;
    await backupDatabase(url, copy.slice('sqlite:'.length), new Date());
    await assertMigrated(copy);
  },
);

/** For what reads the schema with the knowledge of the later program. */
function storedIn({ engine, reader }: Storage) {
  return { engine, reader, schemas: laterSchemas };
}
