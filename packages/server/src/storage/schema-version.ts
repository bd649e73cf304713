import { sql } from 'kysely';
import { notARegistry, UnusableDatabase } from './failure.ts';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import { list } from './query.ts';
import type { Reader } from './statement.ts';
import type { Storage } from './storage.ts';
import { columns, type SchemaVersionRow } from './tables.ts';

/** A database whose schema is read, by a transaction or by the reader of a storage. */
export interface DatabaseSchema extends Pick<Storage, 'engine' | 'schemas'> {
  readonly reader: Reader;
}

const listVersions = list((db) => db.selectFrom('registry_schema').select(columns.registry_schema));

/** The recorded schema version; 0 if there is none. Throws `UnusableDatabase` like `requireUsable`. */
export async function schemaVersion({ reader, engine, schemas }: DatabaseSchema): Promise<number> {
  if (!(await hasTable(reader, engine, 'registry_schema'))) return 0;
  const rows = await listVersions(reader, {}).catch((error: Error) => {
    // Both engines name the column that a table of another program lacks.
    throw /\bcolumn\b/.test(error.message) ? foreignVersion() : error;
  });
  const [row] = rows;
  if (!row) return 0;
  requireUsable(rows, schemas);
  return row.version;
}

/**
 * Throws `UnusableDatabase` if the recorded schema needs a newer program (decision 37), if an unreleased build made it, or if
 * it is not one row.
 */
export function requireUsable([row, ...others]: SchemaVersionRow[], { baseline, migrations }: KnownSchemas): void {
  if (!row || others.length > 0) throw foreignVersion();
  if (row.baseline !== baseline) {
    throw new UnusableDatabase(
      'The database was made by an unreleased build of app-registry, with another schema. Nothing was changed. Use an empty database.',
    );
  }
  if (row.usable_from > migrations.length) {
    throw new UnusableDatabase(
      `The database has schema version ${row.version}, which needs a newer app-registry: this one knows version ${migrations.length}. Nothing was changed. Upgrade app-registry, or name another database.`,
    );
  }
}

export function foreignVersion(): UnusableDatabase {
  return notARegistry('a different table registry_schema');
}

/** The schema as a transaction or a snapshot sees it. */
export function schemaIn(reader: Reader, { engine, schemas }: Omit<DatabaseSchema, 'reader'>): DatabaseSchema {
  return { engine, schemas, reader };
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
