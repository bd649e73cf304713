import { sql } from 'kysely';
import { UnusableDatabase } from './failure.ts';
import { settings } from './migrations/0008-settings.ts';
import { migrations } from './migrations/index.ts';
import { columnTypes } from './migrations/migration.ts';
import type { Connection } from './query.ts';
import { change, find, insert } from './query.ts';
import type { Storage } from './storage.ts';
import { columns, type SchemaVersionRow } from './tables.ts';

/** Arbitrary, but the same in every process. */
const migrationLock = 7_165_301;

/**
 * Migrates the schema to this program's version, in one transaction that only one process at a time can hold.
 * Leaves a newer schema unchanged, and rejects one that this program may not use (decision 37).
 */
export async function migrate(storage: Storage): Promise<void> {
  if (!(await isBehind(storage.reader, storage.engine))) return;
  await storage.write(async (transaction) => {
    if (storage.engine === 'postgres') {
      await transaction.rows(sql`select pg_advisory_xact_lock(${migrationLock})`.compile(transaction.builder));
    }
    const { version: from, usable_from: usableFromBefore } = await versionsOf(transaction, storage.engine);
    // Another process may have migrated first.
    if (from >= migrations.length) return;
    if (storage.engine === 'postgres' && from > 0) await lockApps(transaction);
    const types = columnTypes[storage.engine];
    for (const migration of migrations.slice(from)) {
      for (const statement of migration.up(transaction.builder, types)) {
        await transaction.run(statement.compile());
      }
    }
    const usableFrom = Math.max(usableFromBefore, ...migrations.map((migration) => migration.usableFrom));
    await transaction.run(transaction.builder.deleteFrom('schema_version').compile());
    await insertVersion(transaction, { version: migrations.length, usable_from: usableFrom });
  });
}

/** Takes the strongest lock at once: upgrading a held lock would deadlock with a write that has locked an app. */
async function lockApps(transaction: Connection): Promise<void> {
  await transaction.run(sql`lock table apps in access exclusive mode`.compile(transaction.builder));
}

/** The first schema version whose programs decrypt secrets. */
const versionWithDecryption = migrations.indexOf(settings) + 1;

/** Inside a write: programs that do not decrypt secrets refuse to open the database from now on (decision 37). */
export async function requireDecryption(transaction: Connection): Promise<void> {
  await raiseUsableFrom(transaction, { version: versionWithDecryption });
}

const raiseUsableFrom = change((db, { version }: { version: number }) =>
  db.updateTable('schema_version').set({ usable_from: version }).where('usable_from', '<', version),
);

const findVersion = find((db) => db.selectFrom('schema_version').select(columns.schema_version));
const insertVersion = insert('schema_version');

async function isBehind(connection: Connection, engine: Storage['engine']): Promise<boolean> {
  return (await versionOf(connection, engine)) < migrations.length;
}

async function versionOf(connection: Connection, engine: Storage['engine']): Promise<number> {
  return (await versionsOf(connection, engine)).version;
}

async function versionsOf(connection: Connection, engine: Storage['engine']): Promise<SchemaVersionRow> {
  if (!(await hasVersionTable(connection, engine))) return noSchema;
  const row = await findVersion(connection, {});
  if (row && row.usable_from > migrations.length) {
    throw new UnusableDatabase(
      `The database has schema version ${row.version}, which needs a newer app-registry: this one knows version ${migrations.length}. Nothing was changed. Upgrade app-registry, or name another database.`,
    );
  }
  return row ?? noSchema;
}

const noSchema: SchemaVersionRow = { version: 0, usable_from: 0 };

async function hasVersionTable(connection: Connection, engine: Storage['engine']): Promise<boolean> {
  const question =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'schema_version'`
      : // Not to_regclass, whose cached result may be older than the lock.
        sql`select 1 from pg_class where relname = 'schema_version' and pg_table_is_visible(oid)`;
  return (await connection.rows(question.compile(connection.builder))).length > 0;
}

/** The schema version of an open database. */
export async function schemaVersion(storage: Storage): Promise<number> {
  return versionOf(storage.reader, storage.engine);
}
