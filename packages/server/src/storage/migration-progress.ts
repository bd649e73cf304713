import { sql } from 'kysely';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import { columnTypes, type MigrationStep } from './migrations/migration.ts';
import { type Connection, insert } from './query.ts';
import type { MigrationProgress } from './schema.ts';
import { type DatabaseSchema, hasTable, schemaVersion } from './schema-version.ts';
import type { Reader } from './statement.ts';

const table = 'registry_migration';
const insertVersion = insert('registry_schema');

/** Whether the table of the progress exists. */
export async function isMigrating({ reader, engine }: DatabaseSchema): Promise<boolean> {
  return hasTable(reader, engine, table);
}

/** The progress of the migration to the recorded version; null if that is complete. */
export async function findProgress(database: DatabaseSchema): Promise<MigrationProgress | null> {
  if (!(await isMigrating(database))) return null;
  const { reader } = database;
  const select = sql<MigrationProgress>`select version, steps, position from ${sql.table(table)}`;
  const [progress] = await reader.rows(select.compile(reader.builder));
  return progress?.version === (await schemaVersion(database)) ? progress : null;
}

/** The steps of the migration to a version. */
export function stepsOf({ reader, engine, schemas }: DatabaseSchema, version: number): MigrationStep[] {
  return schemas.migrations[version - 1]?.up(reader.builder, columnTypes[engine]) ?? [];
}

/**
 * Starts the migration to the next version. From now on, programs of the previous version treat the schema as newer
 * than theirs.
 */
export async function startProgress(
  transaction: Connection,
  { schemas }: Pick<DatabaseSchema, 'schemas'>,
  version: number,
): Promise<MigrationProgress> {
  const progress = { version, steps: 0, position: '' };
  await transaction.run(createTable(transaction));
  await storeVersion(transaction, schemas, version);
  await insertProgress(transaction, progress);
  return progress;
}

/** Records progress. Completes a version of which no step is left, and starts the next one in the same transaction. */
export async function recordProgress(
  transaction: Connection,
  database: DatabaseSchema,
  progress: MigrationProgress,
): Promise<MigrationProgress | null> {
  if (progress.steps < stepsOf(database, progress.version).length) {
    await transaction.run(sql`delete from ${sql.table(table)}`.compile(transaction.builder));
    await insertProgress(transaction, progress);
    return progress;
  }
  await transaction.run(sql`drop table ${sql.table(table)}`.compile(transaction.builder));
  const isLast = progress.version === database.schemas.migrations.length;
  return isLast ? null : startProgress(transaction, database, progress.version + 1);
}

/** Programs below what the migration requires refuse the database before its first step. */
export async function storeVersion(
  transaction: Connection,
  { baseline, migrations }: KnownSchemas,
  version: number,
): Promise<void> {
  const usableFrom = Math.max(...migrations.slice(0, version).map((migration) => migration.usableFrom));
  await transaction.run(transaction.builder.deleteFrom('registry_schema').compile());
  await insertVersion(transaction, { version, usable_from: usableFrom, baseline });
}

/** Creates the empty table of the progress. */
export function createTable({ builder }: Reader) {
  return sql`create table ${sql.table(table)} (version bigint not null, steps bigint not null, position text not null)`.compile(
    builder,
  );
}

async function insertProgress(transaction: Connection, progress: MigrationProgress): Promise<void> {
  const { version, steps, position } = progress;
  const row = sql`insert into ${sql.table(table)} (version, steps, position) values (${version}, ${steps}, ${position})`;
  await transaction.run(row.compile(transaction.builder));
}
