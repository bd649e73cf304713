import { sql } from 'kysely';
import { columnTypes } from './column.ts';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import type { MigrationStep } from './migrations/migration.ts';
import { type Connection, defineInsert, defineList, type Reader } from './query.ts';
import type { MigrationProgress, Schema, Storage } from './storage.ts';
import { notARegistry, UnusableDatabase } from './storage-failure.ts';
import { columns, type SchemaVersionRow, type SequencedTable, sequencedTables } from './tables.ts';

/** Most differences that one message lists. */
const listedMax = 10;

/** How the schema relates to what the migrations create. */
export interface CheckedSchema {
  version: number;
  /** A newer schema, which this program does not know and cannot compare. */
  isNewer: boolean;
  differences: SchemaDifference[];
}

/** Compares the schema of a database at its recorded version. The reader must see the version and the schema at one moment. */
export async function checkSchema(storage: Storage, reader: Reader): Promise<CheckedSchema> {
  const { schemaReader, schemas } = storage;
  const database = schemaIn(reader, storage);
  const version = await schemaVersion(database);
  if (version > schemas.migrations.length) return { version, isNewer: true, differences: [] };
  const progress = await findProgress(database);
  const [expected, actual] = await Promise.all([schemaReader.expected(version, progress), schemaReader.read(reader)]);
  return { version, isNewer: false, differences: compareSchemas(expected, actual) };
}

/** Throws `UnusableDatabase` if the schema differs from what the migrations create. */
export async function requireSchema(storage: Storage, reader: Reader): Promise<CheckedSchema> {
  const checked = await checkSchema(storage, reader);
  const [first] = checked.differences;
  if (!first) return checked;
  if (checked.version === 0 && first.code === 'unexpected_object') throw notARegistry(`the ${first.object}`);
  throw new UnusableDatabase(messageOf(checked));
}

/** The same at one moment of an open database, which another process may be migrating. */
export async function requireStoredSchema(storage: Storage): Promise<CheckedSchema> {
  const work = async function* (snapshot: Reader) {
    yield await requireSchema(storage, snapshot);
  };
  for await (const checked of storage.snapshot(work)) return checked;
  throw new Error('a snapshot yielded nothing');
}

function messageOf({ version, differences }: CheckedSchema): string {
  const listed = differences.slice(0, listedMax).map(({ detail }) => detail);
  const more = differences.length - listed.length;
  const all = [...listed, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
  return version === 0
    ? `The database cannot hold a registry. ${all} Nothing was changed. Use a different database.`
    : `The schema of the database differs from version ${version} of app-registry, so the database cannot be trusted. ${all} Find out who changed it. Restore an earlier backup, or remove what is unexpected and create what is missing.`;
}

/** An object that differs from what the migrations create. */
interface SchemaDifference {
  object: string;
  code: 'unexpected_object' | 'missing_object' | 'different_object';
  detail: string;
}

/** Longest part of a definition that is quoted. */
const quotedMax = 160;

/** What differs, without indexes that operators may add. Each object must be as one of the expected schemas has it. */
function compareSchemas(expected: Schema[], actual: Schema): SchemaDifference[] {
  const objects = new Set(expected.flatMap((schema) => [...schema.keys()]));
  const isMissing = (object: string) => !actual.has(object) && expected.every((schema) => schema.has(object));
  const missing = [...objects].filter(isMissing).map((object) => difference('missing_object', object, 'is missing'));
  const others = [...actual].flatMap(([object, definition]): SchemaDifference[] => {
    const wanted = expected.flatMap((schema) => schema.get(object) ?? []);
    const [first] = wanted;
    if (first === undefined) {
      if (plainIndex.test(definition)) return [];
      return [difference('unexpected_object', object, `is not part of app-registry: ${quote(definition)}`)];
    }
    return wanted.includes(definition) ? [] : [difference('different_object', object, differing(first, definition))];
  });
  return [...others, ...missing];
}

function difference(code: SchemaDifference['code'], object: string, what: string): SchemaDifference {
  return { object, code, detail: `The ${object} ${what}.` };
}

/** On one line, and without control characters: names and texts may come from a hostile file and reach a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

const indexedColumn = String.raw`\w+(?: (?:asc|desc|nulls first|nulls last|\w+_ops))*`;
/**
 * Columns only: no uniqueness, which would refuse rows, and no expression or condition, which would run at each write.
 * PostgreSQL lists an index as invalid while it builds it.
 */
const plainIndex = new RegExp(
  String.raw`^create index \w+ on \w+(?: using \w+)? \( ?${indexedColumn}(?: ?, ${indexedColumn})* ?\)(?: invalid)?$`,
  'i',
);

function differing(wanted: string, actual: string): string {
  const isShort = Math.max(wanted.length, actual.length) <= quotedMax;
  const from = isShort ? 0 : firstDifference(wanted, actual);
  return `has a different definition: ${quote(actual.slice(from))} instead of ${quote(wanted.slice(from))}`;
}

/** The start of the first word that differs. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return one.lastIndexOf(' ', at - 1) + 1;
}

function quote(text: string): string {
  return text.length > quotedMax ? `"${text.slice(0, quotedMax)}…"` : `"${text}"`;
}

/** A database whose schema is read, by a transaction or by the reader of a storage. */
export interface DatabaseSchema extends Pick<Storage, 'engine' | 'schemas'> {
  readonly reader: Reader;
}

const listVersions = defineList((db) => db.selectFrom('registry_schema').select(columns.registry_schema));

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
 * Throws `UnusableDatabase` if the recorded schema needs a newer program, if an unreleased build made it, or if
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
async function hasTable(reader: Reader, engine: Storage['engine'], name: string): Promise<boolean> {
  const question =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : // Not to_regclass, whose cached result may be older than the lock.
        sql`select 1 from pg_class where relname = ${name} and pg_table_is_visible(oid)`;
  return (await reader.rows(question.compile(reader.builder))).length > 0;
}

const progressTable = 'registry_migration';
const insertVersion = defineInsert('registry_schema');

/** Whether the table of the progress exists. */
export async function isMigrating({ reader, engine }: DatabaseSchema): Promise<boolean> {
  return hasTable(reader, engine, progressTable);
}

/** The progress of the migration to the recorded version; null if that is complete. */
export async function findProgress(database: DatabaseSchema): Promise<MigrationProgress | null> {
  if (!(await isMigrating(database))) return null;
  const { reader } = database;
  const select = sql<MigrationProgress>`select version, steps, position from ${sql.table(progressTable)}`;
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
    await transaction.run(sql`delete from ${sql.table(progressTable)}`.compile(transaction.builder));
    await insertProgress(transaction, progress);
    return progress;
  }
  await transaction.run(sql`drop table ${sql.table(progressTable)}`.compile(transaction.builder));
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
  return sql`create table ${sql.table(progressTable)} (version bigint not null, steps bigint not null, position text not null)`.compile(
    builder,
  );
}

async function insertProgress(transaction: Connection, progress: MigrationProgress): Promise<void> {
  const { version, steps, position } = progress;
  const row = sql`insert into ${sql.table(progressTable)} (version, steps, position) values (${version}, ${steps}, ${position})`;
  await transaction.run(row.compile(transaction.builder));
}

/** A table with a row whose position its sequence has not reached: the next rows would be refused. */
export interface LateSequence {
  table: SequencedTable;
  /** The greatest position in the table. */
  last: number;
}

/**
 * Logical replication and a restore of the data alone copy rows, but not the state of the sequences that number them.
 * SQLite numbers a row after the greatest one.
 */
export async function lateSequences(reader: Reader, engine: Storage['engine']): Promise<LateSequence[]> {
  const late: LateSequence[] = [];
  if (engine === 'sqlite') return late;
  for (const table of sequencedTables) {
    const query = sql<{ last: number | null; reached: number | null }>`select max(position) as last,
      pg_sequence_last_value(${sequenceOf(table)}) as reached from ${sql.table(table)}`;
    const [row] = await reader.rows(query.compile(reader.builder));
    if (row?.last != null && row.last > (row.reached ?? 0)) late.push({ table, last: row.last });
  }
  return late;
}

/** Advances the sequences that are behind their tables, and returns them as they were. */
export async function advanceSequences({ engine, reader, write }: Storage): Promise<LateSequence[]> {
  if ((await lateSequences(reader, engine)).length === 0) return [];
  return write(async (transaction) => {
    // Nothing may be numbered between the comparison and its consequence.
    for (const table of sequencedTables) {
      await transaction.run(
        sql`lock table ${sql.table(table)} in share row exclusive mode`.compile(transaction.builder),
      );
    }
    const late = await lateSequences(transaction, engine);
    for (const { table, last } of late) {
      await transaction.rows(sql`select setval(${sequenceOf(table)}, ${last})`.compile(transaction.builder));
    }
    return late;
  });
}

function sequenceOf(table: SequencedTable) {
  return sql`pg_get_serial_sequence(${table}, 'position')::regclass`;
}
