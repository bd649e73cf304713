import { sql } from 'kysely';
import { migrations } from './migrations/index.ts';
import { columnTypesInUse, type MigrationStep } from './migrations/migration.ts';
import { type Connection, insert } from './query.ts';
import type { MigrationProgress } from './schema.ts';
import { hasTable, versionsOf } from './schema-version.ts';
import type { Reader } from './statement.ts';
import type { Storage } from './storage.ts';

type Engine = Storage['engine'];

const table = 'migration_progress';
const insertVersion = insert('schema_version');

/** Whether the migration to the recorded version is complete, as far as the table says. */
export async function isMigrating(reader: Reader, engine: Engine): Promise<boolean> {
  return hasTable(reader, engine, table);
}

/** The progress of the migration to the recorded version; null if that is complete. */
export async function findProgress(reader: Reader, engine: Engine): Promise<MigrationProgress | null> {
  if (!(await isMigrating(reader, engine))) return null;
  const select = sql<MigrationProgress>`select version, steps, position from ${sql.table(table)}`;
  const [progress] = await reader.rows(select.compile(reader.builder));
  const { version } = await versionsOf(reader, engine);
  // An older program that starts between two versions completes the migration in its own way.
  return progress?.version === version ? progress : null;
}

/** The steps of the migration to a version, for a database that is in use. */
export function stepsOf({ builder }: Reader, engine: Engine, version: number): MigrationStep[] {
  return migrations[version - 1]?.up(builder, columnTypesInUse[engine]) ?? [];
}

/**
 * Starts the migration to the next version. From now on, programs of the previous version treat the schema as newer
 * than theirs.
 */
export async function startProgress(transaction: Connection, version: number): Promise<MigrationProgress> {
  const progress = { version, steps: 0, position: '' };
  await transaction.run(sql`drop table if exists ${sql.table(table)}`.compile(transaction.builder));
  await transaction.run(createTable(transaction));
  await storeVersion(transaction, version);
  await insertProgress(transaction, progress);
  return progress;
}

/** Records progress. Completes a version of which no step is left, and starts the next one in the same transaction. */
export async function recordProgress(
  transaction: Connection,
  engine: Engine,
  progress: MigrationProgress,
): Promise<MigrationProgress | null> {
  if (progress.steps < stepsOf(transaction, engine, progress.version).length) {
    await transaction.run(sql`delete from ${sql.table(table)}`.compile(transaction.builder));
    await insertProgress(transaction, progress);
    return progress;
  }
  if (progress.version < migrations.length) return startProgress(transaction, progress.version + 1);
  await transaction.run(sql`drop table ${sql.table(table)}`.compile(transaction.builder));
  return null;
}

/** Programs below what the migration requires refuse the database before its first step. */
export async function storeVersion(transaction: Connection, version: number): Promise<void> {
  const required = migrations.slice(0, version).map(({ usableFrom }) => usableFrom);
  const stored = await transaction.rows(
    sql<{ usable_from: number }>`select usable_from from schema_version`.compile(transaction.builder),
  );
  const usableFrom = Math.max(...required, ...stored.map((row) => row.usable_from));
  await transaction.run(transaction.builder.deleteFrom('schema_version').compile());
  await insertVersion(transaction, { version, usable_from: usableFrom });
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
