import { sql } from 'kysely';
import { UnusableDatabase } from './failure.ts';
import { sharedState } from './migrations/0006-shared-state.ts';
import { scale } from './migrations/0009-scale.ts';
import { migrations } from './migrations/index.ts';
import { type Connection, change, find } from './query.ts';
import type { Reader } from './statement.ts';
import type { Storage } from './storage.ts';
import { columns, type SchemaVersionRow } from './tables.ts';

/** The first schema version whose programs decrypt secrets. */
const versionWithDecryption = migrations.indexOf(sharedState) + 1;
/** The first schema version whose programs need no row of an app changed when its developer changes. */
const versionWithDeveloperStamps = migrations.indexOf(scale) + 1;
const noSchema: SchemaVersionRow = { version: 0, usable_from: 0 };

const findVersion = find((db) => db.selectFrom('schema_version').select(columns.schema_version));

const raiseUsableFrom = change((db, { version }: { version: number }) =>
  db.updateTable('schema_version').set({ usable_from: version }).where('usable_from', '<', version),
);

/** The recorded schema version; 0 if there is none. Throws like `versionsOf`. */
export async function versionOf(reader: Reader, engine: Storage['engine']): Promise<number> {
  return (await versionsOf(reader, engine)).version;
}

/** The recorded versions; 0 if there are none. Throws `UnusableDatabase` if they need a newer program (decision 37). */
export async function versionsOf(reader: Reader, engine: Storage['engine']): Promise<SchemaVersionRow> {
  if (!(await hasTable(reader, engine, 'schema_version'))) return noSchema;
  const row = await findVersion(reader, {});
  if (row && row.usable_from > migrations.length) {
    throw new UnusableDatabase(
      `The database has schema version ${row.version}, which needs a newer app-registry: this one knows version ${migrations.length}. Nothing was changed. Upgrade app-registry, or name another database.`,
    );
  }
  return row ?? noSchema;
}

/** Inside a write: programs that do not decrypt secrets refuse to open the database from now on (decision 37). */
export async function requireDecryption(transaction: Connection): Promise<void> {
  await raiseUsableFrom(transaction, { version: versionWithDecryption });
}

/** Inside a write: whether programs that do not know the stamps of developers may use the database. */
export async function mayHaveOlderPrograms(transaction: Connection): Promise<boolean> {
  const row = await findVersion(transaction, {});
  return row === null || row.usable_from < versionWithDeveloperStamps;
}

/** Inside a write: such programs refuse to open the database from now on (decision 37). */
export async function refuseOlderPrograms(transaction: Connection): Promise<void> {
  await raiseUsableFrom(transaction, { version: versionWithDeveloperStamps });
}

/** Whether the database has a table, as the catalogue lists it. */
export async function hasTable(reader: Reader, engine: Storage['engine'], name: string): Promise<boolean> {
  const question =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : // Not to_regclass, whose cached result may be older than the lock.
        sql`select 1 from pg_class where relname = ${name} and pg_table_is_visible(oid)`;
  return (await reader.rows(question.compile(reader.builder))).length > 0;
}

/** The schema version of an open database. */
export async function schemaVersion(storage: Storage): Promise<number> {
  return versionOf(storage.reader, storage.engine);
}
