import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineList, type Reader, type Statement, statementName } from '../../../storage/query.ts';
import { planByIndex } from '../../../storage/row-pages.ts';
import type { Storage } from '../../../storage/storage.ts';
import {
  type AppRow,
  type ComparisonKeyRow,
  columns,
  type DeletedAppRow,
  type DeveloperRow,
  type PendingProjectionRow,
  type SearchTextRow,
  type Tables,
} from '../../../storage/tables.ts';

type Engine = Storage['engine'];

/** How many marks one transaction processes at most. Their work takes 2 to 5 ms. */
export const marksMax = 20;

/** Excludes other transactions that catch up. `creationLock` and `migrationLock` are the numbers before it. */
const projectionLock = 7_165_303;

/** Inside a write: counts a change in those of the marks of these subjects that exist. */
export async function raiseMarks(connection: Connection, engine: Engine, ids: string[]): Promise<void> {
  const update = sql`update pending_projections set version = version + 1 where subject_id ${among(engine, ids)}`;
  await connection.run(prepared(connection, update));
}

/** The greatest id that is marked; null when none is. */
export async function findLastMark(reader: Reader): Promise<string | null> {
  const query = reader.builder.selectFrom('pending_projections').select((row) => row.fn.max('subject_id').as('last'));
  const [row] = await reader.rows(query.compile());
  return row?.last ?? null;
}

/** The next marks after an id, up to another. */
export const listMarks = defineList((db, { after, until }: { after: string; until: string }) =>
  db
    .selectFrom('pending_projections')
    .select(columns.pending_projections)
    .where('subject_id', '>', after)
    .where('subject_id', '<=', until)
    .orderBy('subject_id')
    .limit(sql.lit(marksMax)),
);

/** Those of these subjects that are marked. */
export async function listMarked(reader: Reader, engine: Engine, ids: string[]): Promise<string[]> {
  const rows = await listRows(reader, engine, { table: 'pending_projections', ids });
  return rows.map((mark) => mark.subject_id);
}

/**
 * Inside a write: removes marks that still have the version given. On PostgreSQL it waits for no other write: one that is
 * changing the subject again keeps the mark.
 */
export async function deleteMarks(
  connection: Connection,
  engine: Engine,
  marks: PendingProjectionRow[],
): Promise<void> {
  const removal = sql`delete from pending_projections where subject_id in (
    select subject_id from pending_projections
    where (subject_id, version) in (${given(engine, 'pending_projections', marks)})
    ${engine === 'postgres' ? sql`for update skip locked` : sql``})`;
  await connection.run(prepared(connection, removal));
}

/** At the start of a write: no other transaction catches up until this one ends. */
export async function lockProjections(connection: Connection, engine: Engine): Promise<void> {
  // SQLite has one write at a time.
  if (engine === 'sqlite') return;
  const lock = sql`select pg_advisory_xact_lock(${sql.lit(projectionLock)})`.compile(connection.builder);
  // In one round trip. After an import, no table has statistics yet.
  await Promise.all([planByIndex(connection, engine), connection.rows(lock)]);
}

/** What the projections of some ids are made from. */
export interface ProjectedRows {
  apps: AppRow[];
  deletedApps: DeletedAppRow[];
  developers: DeveloperRow[];
}

/** Inside a write: the apps, deleted apps and developers with these ids. In one round trip. */
export async function listProjectedRows(connection: Connection, engine: Engine, ids: string[]): Promise<ProjectedRows> {
  const [apps, deletedApps, developers] = await Promise.all([
    listRows(connection, engine, { table: 'apps', ids }),
    listRows(connection, engine, { table: 'deleted_apps', ids }),
    listRows(connection, engine, { table: 'developers', ids }),
  ]);
  return { apps, deletedApps, developers };
}

/** What is projected of some ids. */
export interface Projections {
  texts: SearchTextRow[];
  comparisonKeys: ComparisonKeyRow[];
}

/** The stored projections of these ids. */
export async function listProjections(reader: Reader, engine: Engine, ids: string[]): Promise<Projections> {
  return {
    texts: await listRows(reader, engine, { table: 'search_texts', ids }),
    comparisonKeys: await listRows(reader, engine, { table: 'app_comparison_keys', ids }),
  };
}

/** Inside a write: replaces the projections of these ids. In one round trip. */
export async function replaceProjections(
  connection: Connection,
  engine: Engine,
  { ids, texts, comparisonKeys }: Projections & { ids: string[] },
): Promise<void> {
  const run = (query: RawBuilder<unknown>) => connection.run(prepared(connection, query));
  const found = new Set(texts.map((text) => text.subject_id));
  const lost = ids.filter((id) => !found.has(id));
  await Promise.all([
    ...(lost.length > 0 ? [run(sql`delete from search_texts where subject_id ${among(engine, lost)}`)] : []),
    run(sql`${insertInto(engine, 'search_texts', texts)} on conflict (subject_id) do update
      set name = excluded.name, hosts = excluded.hosts, person = excluded.person`),
    run(sql`delete from app_comparison_keys where app_id ${among(engine, ids)}`),
    run(insertInto(engine, 'app_comparison_keys', comparisonKeys)),
  ]);
}

/** The rows of a table whose first key column is one of these ids. */
async function listRows<Table extends keyof Tables>(
  reader: Reader,
  engine: Engine,
  { table, ids }: { table: Table; ids: string[] },
): Promise<Tables[Table][]> {
  const [key] = columns[table];
  const query = sql<Tables[Table]>`select ${columnList(columns[table])} from ${sql.table(table)}
    where ${sql.ref(key)} ${among(engine, ids)}`;
  return reader.rows(prepared(reader, query));
}

/** The ids or rows of a statement are one value, as JSON: so each is prepared once, for any number of them. */
function prepared<Row>({ builder }: Reader, query: RawBuilder<Row>): Statement<Row> {
  const statement = query.compile(builder);
  return { ...statement, name: statementName(statement.sql) };
}

function among(engine: Engine, ids: string[]): RawBuilder<unknown> {
  const json = JSON.stringify(ids);
  if (engine === 'sqlite') return sql`in (select value from json_each(${json}))`;
  return sql`= any (array(select json_array_elements_text(cast(${json} as json))))`;
}

function insertInto<Table extends keyof Tables>(engine: Engine, table: Table, rows: Tables[Table][]) {
  // As the compiler of SQLite has it, so that no statement copies the pages that it changes. The condition ends the query.
  const insert = sql.raw(engine === 'sqlite' ? 'insert or fail into' : 'insert into');
  return sql`${insert} ${sql.table(table)} (${columnList(columns[table])}) ${given(engine, table, rows)} where true`;
}

/** Selects given rows. */
function given<Table extends keyof Tables>(engine: Engine, table: Table, rows: Tables[Table][]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const names: readonly string[] = columns[table];
  if (engine === 'postgres') {
    return sql`select ${columnList(names)} from json_populate_recordset(cast(null as ${sql.table(table)}), cast(${json} as json))`;
  }
  const values = names.map((name) => sql`json_extract(value, ${sql.lit(`$.${name}`)})`);
  return sql`select ${sql.join(values)} from json_each(${json})`;
}

function columnList(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}
