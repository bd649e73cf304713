import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { test } from 'node:test';
import { forEachEngine, on, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import {
  assertMigrated,
  isOpened,
  laterSchemas,
  olderDatabase,
  openLater,
} from '@appregistrar/testkit/storage/later-schemas';
import { promotingTrigger } from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema, execute } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from './open-storage.ts';
import { findProgress, isMigrating, schemaVersion } from './schema.ts';

const indexOfInstallations = 'create index installations_by_creation on installations (created_at, id)';

forEachEngine((engine) => {
  test('a migration that ends after any step continues with the next one', async () => {
    const { url, before, drop } = await olderDatabase(engine);
    let opened = 0;
    for (; !(await isOpened(url)); opened += 1) {
      // Programs of the first version that start meanwhile take the schema for a newer one.
      const stored = { engine: before.engine, reader: before.reader, schemas: laterSchemas };
      assert.ok((await schemaVersion(stored)) > 1);
      assert.ok(await isMigrating(stored));
      // They read and write between the steps.
      await before.write((transaction) =>
        execute(transaction, `update apps set platform_revision = ${opened + 2} where id = 'app_2'`),
      );
      const read = await execute(before.reader, `select platform_revision from apps where id = 'app_2'`);
      assert.deepEqual(
        read.map((row) => ({ ...row })),
        [{ platform_revision: opened + 2 }],
      );
    }
    assert.ok(opened >= 6, `${opened}`);
    await assertMigrated(url);
    await before.close();
    await drop();
  });

  test('a migration does not continue beside a foreign trigger', async () => {
    const { url, before, drop } = await olderDatabase(engine);
    assert.equal(await isOpened(url, 0), false);
    await changeSchema(url, promotingTrigger[before.engine]);
    await assert.rejects(openLater(url), /differs from version 2.*The trigger promote on access_tokens/);
    const stored = { engine: before.engine, reader: before.reader, schemas: laterSchemas };
    assert.deepEqual(await findProgress(stored), { version: 2, steps: 0, position: '' });
    await before.close();
    await drop();
  });

  test('a migration that needs the next version of programs shuts out the version before', async () => {
    const { url, before, drop } = await olderDatabase(engine);
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
    const { url, before, drop } = await olderDatabase(engine);
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

test('a partly built index is built again', on(postgres), async () => {
  const { url, before, drop } = await olderDatabase(postgres);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [
    indexOfInstallations,
    `update pg_index set indisvalid = false where indexrelid = 'installations_by_creation'::regclass`,
  ]);
  await assertMigrated(url);
  await before.close();
  await drop();
});

test('an index that was completed but not recorded is used as it is', on(postgres), async () => {
  const { url, before, drop } = await olderDatabase(postgres);
  assert.equal(await isOpened(url, 0), false);
  await changeSchema(url, [indexOfInstallations]);
  const oid = `select 'installations_by_creation'::regclass::oid as oid`;
  const created = await execute(before.reader, oid);
  await assertMigrated(url);
  assert.deepEqual(await execute(before.reader, oid), created);
  await before.close();
  await drop();
});

test('a copy of a file whose migration is not complete is migrated when it is opened', on(sqlite), async () => {
  const { url, before, drop } = await olderDatabase(sqlite);
  for (let step = 0; step < 3; step += 1) assert.equal(await isOpened(url), false);
  const copy = `${url}.copy`;
  await before.close();
  await copyFile(url.slice('sqlite:'.length), copy.slice('sqlite:'.length));
  await assertMigrated(copy);
  await drop();
});
