import { sql } from 'kysely';
import { type Connection, change, list } from '../../query.ts';
import type { Reader } from '../../statement.ts';
import {
  type AppIdentityRow,
  type AppRow,
  columns,
  type DeletedAppRow,
  type DeveloperRow,
  type PendingProjectionRow,
  type SearchTextRow,
} from '../../tables.ts';

/** Far below the number of values that either engine allows in a statement. */
const rowsMax = 500;

/** Excludes other transactions that catch up. `creationLock` and `migrationLock` are the numbers before it. */
const projectionLock = 7_165_303;

/** Inside a write: marks an app or developer, in one row however often it changes. */
export const insertMark = change((db, { subjectId }: { subjectId: string }) =>
  db
    .insertInto('pending_projections')
    .values({ subject_id: subjectId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('subject_id').doUpdateSet({ version: sql<number>`pending_projections.version + 1` }),
    ),
);

/** Inside a write: counts a change in those of the marks of these subjects that exist. */
export async function raiseMarks(connection: Connection, ids: string[]): Promise<void> {
  const update = connection.builder
    .updateTable('pending_projections')
    .set((column) => ({ version: column('version', '+', 1) }))
    .where('subject_id', 'in', ids);
  await connection.run(update.compile());
}

/** The greatest id that is marked; null when none is. */
export async function findLastMark(reader: Reader): Promise<string | null> {
  const query = sql<{ last: string | null }>`select max(subject_id) as last from pending_projections`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.last ?? null;
}

/** How many marks one transaction processes at most. Their work takes 2 to 4 ms. */
export const marksMax = 25;

/** The next marks after an id, up to another. */
export const listMarks = list((db, { after, until }: { after: string; until: string }) =>
  db
    .selectFrom('pending_projections')
    .select(columns.pending_projections)
    .where('subject_id', '>', after)
    .where('subject_id', '<=', until)
    .orderBy('subject_id')
    .limit(sql.lit(marksMax)),
);

/** Those of these subjects that are marked. */
export async function listMarked(reader: Reader, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const marks = reader.builder.selectFrom('pending_projections').select('subject_id').where('subject_id', 'in', ids);
  return (await reader.rows(marks.compile())).map((mark) => mark.subject_id);
}

/**
 * Inside a write: removes marks that still have the version given. On PostgreSQL it waits for no other write: one that is
 * changing the subject again keeps the mark.
 */
export async function deleteMarks(
  connection: Connection,
  engine: 'sqlite' | 'postgres',
  marks: PendingProjectionRow[],
): Promise<void> {
  const given = sql.join(marks.map(({ subject_id, version }) => sql`(${subject_id}, ${sql.lit(version)})`));
  const removal = sql`delete from pending_projections where subject_id in (
    select subject_id from pending_projections where (subject_id, version) in (values ${given})
    ${engine === 'postgres' ? sql`for update skip locked` : sql``})`;
  await connection.run(removal.compile(connection.builder));
}

/** Inside a write: no other transaction catches up until this one ends. */
export async function lockProjections(connection: Connection, engine: 'sqlite' | 'postgres'): Promise<void> {
  // SQLite has one write at a time.
  if (engine === 'sqlite') return;
  await connection.rows(sql`select pg_advisory_xact_lock(${sql.lit(projectionLock)})`.compile(connection.builder));
}

/** What the projections of some ids are made from. */
export interface ProjectedRows {
  apps: AppRow[];
  deletedApps: DeletedAppRow[];
  developers: DeveloperRow[];
}

/** The apps, deleted apps and developers with these ids. */
export async function listProjectedRows(reader: Reader, ids: string[]): Promise<ProjectedRows> {
  if (ids.length === 0) return { apps: [], deletedApps: [], developers: [] };
  const { builder } = reader;
  const apps = await reader.rows(builder.selectFrom('apps').select(columns.apps).where('id', 'in', ids).compile());
  const deletedApps = await reader.rows(
    builder.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', 'in', ids).compile(),
  );
  const developers = await reader.rows(
    builder.selectFrom('developers').select(columns.developers).where('user_id', 'in', ids).compile(),
  );
  return { apps, deletedApps, developers };
}

/** What is projected of some ids. */
export interface Projections {
  texts: SearchTextRow[];
  identities: AppIdentityRow[];
}

/** The stored projections of these ids. */
export async function listProjections(reader: Reader, ids: string[]): Promise<Projections> {
  if (ids.length === 0) return { texts: [], identities: [] };
  const { builder } = reader;
  const texts = await reader.rows(
    builder.selectFrom('search_texts').select(columns.search_texts).where('subject_id', 'in', ids).compile(),
  );
  const identities = await reader.rows(
    builder.selectFrom('app_identities').select(columns.app_identities).where('app_id', 'in', ids).compile(),
  );
  return { texts, identities };
}

/** Inside a write: replaces the projections of these ids. */
export async function replaceProjections(
  connection: Connection,
  { ids, texts, identities }: Projections & { ids: string[] },
): Promise<void> {
  const { builder } = connection;
  const found = new Set(texts.map((text) => text.subject_id));
  const lost = ids.filter((id) => !found.has(id));
  if (lost.length > 0) {
    await connection.run(builder.deleteFrom('search_texts').where('subject_id', 'in', lost).compile());
  }
  for (const some of parts(texts)) {
    const upsert = builder
      .insertInto('search_texts')
      .values(some)
      .onConflict((conflict) =>
        conflict.column('subject_id').doUpdateSet((row) => ({
          name: row.ref('excluded.name'),
          hosts: row.ref('excluded.hosts'),
          person: row.ref('excluded.person'),
        })),
      );
    await connection.run(upsert.compile());
  }
  if (ids.length > 0) {
    await connection.run(builder.deleteFrom('app_identities').where('app_id', 'in', ids).compile());
  }
  for (const some of parts(identities)) {
    await connection.run(builder.insertInto('app_identities').values(some).compile());
  }
}

function parts<Row>(rows: Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, at) =>
    rows.slice(at * rowsMax, (at + 1) * rowsMax),
  );
}
