import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineChange, defineFind, type Reader } from '../../storage/query.ts';
import {
  type IndexRanges,
  keysInRanges,
  listPage,
  type PageOfRows,
  type PageRequest,
  rowsInRanges,
  type Sorting,
} from '../../storage/row-pages.ts';
import { type AppRow, columns, type DeveloperRow } from '../../storage/tables.ts';

export const findDeveloper = defineFind((db, { userId }: { userId: string }) =>
  db.selectFrom('developers').select(columns.developers).where('user_id', '=', userId),
);

/** Inside a write: the developer, who is neither changed nor suspended until the write ends. */
export const findDeveloperForShare = defineFind((db, { userId }: { userId: string }) =>
  db.selectFrom('developers').select(columns.developers).where('user_id', '=', userId).forShare(),
);

/** The existing ones of these developers. */
export async function listDevelopers(reader: Reader, userIds: string[]): Promise<DeveloperRow[]> {
  const developers = reader.builder.selectFrom('developers').select(columns.developers).where('user_id', 'in', userIds);
  return userIds.length === 0 ? [] : reader.rows(developers.compile());
}

/** The existing ones of these developer ids. */
export async function listDeveloperIds(connection: Connection, userIds: string[]): Promise<string[]> {
  const developers = connection.builder.selectFrom('developers').select('user_id').where('user_id', 'in', userIds);
  const rows = await connection.rows(developers.compile());
  return rows.map(({ user_id }) => user_id);
}

/** Inside a write: the suspended ones of these developers. Until the write ends, no developer of these ids is suspended. */
export async function listSuspendedDevelopers(
  connection: Connection,
  userIds: string[],
): Promise<Pick<DeveloperRow, 'user_id' | 'suspension_reason'>[]> {
  const developers = connection.builder
    .selectFrom('developers')
    .select(['user_id', 'suspended_at', 'suspension_reason'])
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forShare();
  const rows = await connection.rows(developers.compile());
  return rows.filter((developer) => developer.suspended_at !== null);
}

/**
 * Inside a write: the existing developers with these ids, locked until the write ends. Rows that refer to them can still be
 * stored: a shared transaction that changes an app again has PostgreSQL look up its developer, behind the lock of the app.
 */
export async function listDevelopersForUpdate(connection: Connection, userIds: string[]): Promise<DeveloperRow[]> {
  const developers = connection.builder
    .selectFrom('developers')
    .select(columns.developers)
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .forNoKeyUpdate();
  return connection.rows(developers.compile());
}

/** Updates every column of a developer. */
export const replaceDeveloper = defineChange((db, row: DeveloperRow) =>
  db
    .updateTable('developers')
    .set(Object.fromEntries(columns.developers.map((name) => [name, row[name]])))
    .where('user_id', '=', row.user_id),
);

export type DeveloperSorting = Sorting<'user_id' | 'email' | 'created_at'>;

export interface DeveloperFilter {
  /** At most a page of ids. */
  ids?: string[] | undefined;
  sorting: DeveloperSorting;
}

/** A page of the developers. Throws `ForeignPosition`. */
export function listDeveloperPage(
  connection: Connection,
  { ids, sorting, ...request }: PageRequest & DeveloperFilter,
): Promise<PageOfRows<DeveloperRow>> {
  const all = connection.builder.selectFrom('developers').select(columns.developers);
  const query = ids ? all.where('user_id', 'in', ids) : all;
  return listPage(connection, { query, ...sorting }, request);
}

/** Selects the ids of developers, up to a limit. */
export function someDeveloperIds({ ids, sorting }: DeveloperFilter, limit: number): RawBuilder<string> {
  if (ids) return sql`select user_id from developers where user_id in (${sql.join(ids)}) limit ${limit}`;
  const [range] = rowsInRanges({ table: 'developers', leading: [], ranges: [[]], ...sorting }, { limit: limit - 1 });
  return sql`select user_id from (${range}) as some_developers`;
}

interface OfDeveloper {
  developerId: string;
}

const statuses: AppRow['review_status'][] = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'];

/** The id of one developer, or the column that has it. */
type DeveloperRef = string | RawBuilder<string>;

/** The apps of a developer, as the ranges of one index. */
function appRanges(developer: DeveloperRef, some = statuses): IndexRanges {
  return {
    table: 'apps',
    leading: ['developer_id', 'review_status', 'changed_since_approval'],
    ranges: some.flatMap((status) => [0, 1].map((changed) => [developer, status, changed])),
    order: ['id'],
  };
}

function deletedAppRanges(developer: DeveloperRef): IndexRanges {
  return { table: 'deleted_apps', leading: ['developer_id'], ranges: [[developer]], order: ['id'] };
}

/** How many decisions of one step there were, and when the last one was made. */
export interface DecisionCount {
  step: string;
  count: number;
  last: number;
}

export interface HistoryLimits {
  /** How many apps of each status are counted, and how many decisions. */
  counted: number;
  /** Of how many of the newest apps, and of the newest deleted ones, decisions are counted. */
  appsWithDecisions: number;
}

interface DeveloperHistory {
  user_id: string;
  /** By review status, and how many were deleted. */
  apps: Record<AppRow['review_status'] | 'deleted', number>;
  decisions: DecisionCount[];
}

/** The apps of each of these developers and the decisions about them: up to a limit for each range of an index. */
export async function listDeveloperHistories(
  reader: Reader,
  developerIds: string[],
  { counted, appsWithDecisions }: HistoryLimits,
): Promise<DeveloperHistory[]> {
  if (developerIds.length === 0) return [];
  const developer = sql<string>`developers.user_id`;
  const count = (list: IndexRanges) =>
    sql.join(
      rowsInRanges(list, { limit: counted - 1 }).map((range) => sql`(select count(*) from (${range}) as one_range)`),
      sql` + `,
    );
  const newest = { limit: appsWithDecisions - 1, position: { side: 'before' as const, values: [lastId] } };
  const counts = [
    ...statuses.map((status) => sql`${count(appRanges(developer, [status]))} as ${sql.ref(status)}`),
    sql`${count(deletedAppRanges(developer))} as deleted`,
    // One text, because a subquery for each step would look for the apps again.
    sql`(
      select string_agg(step || ' ' || decided || ' ' || last, ' ')
      from (
        select step, count(*) as decided, max(decided_at) as last
        from (
          select step, decided_at from decisions where app_id in (
            select id from ${keysInRanges(appRanges(developer), newest)} as newest_apps
            union all select id from ${keysInRanges(deletedAppRanges(developer), newest)} as newest_deleted)
          limit ${counted}) as made
        group by step) as steps) as decisions`,
  ];
  const query = sql<{ user_id: string; decisions: string | null } & DeveloperHistory['apps']>`
    select user_id, ${sql.join(counts)} from developers where user_id in (${sql.join(developerIds)})`;
  const rows = await reader.rows(query.compile(reader.builder));
  return rows.map(({ user_id, decisions, ...apps }) => ({ user_id, apps, decisions: decisionCounts(decisions) }));
}

function decisionCounts(text: string | null): DecisionCount[] {
  const values = text === null ? [] : text.split(' ');
  return Array.from({ length: values.length / 3 }, (_, at) => {
    const [step = '', count, last] = values.slice(3 * at);
    return { step, count: Number(count), last: Number(last) };
  });
}

/** Sorts after every id. */
const lastId = '\u{10ffff}';

/** When the first app of a developer was created. */
export function findFirstApp(reader: Reader, { developerId }: OfDeveloper): Promise<{ created_at: number } | null> {
  return first(
    reader,
    sql<{
      created_at: number;
    }>`select created_at from apps where id in ${keysInRanges(appRanges(developerId), { limit: 0 })}`,
  );
}

/** The first deleted app of a developer, as it was. */
export function findFirstDeletedApp(reader: Reader, { developerId }: OfDeveloper): Promise<{ row: string } | null> {
  const ids = keysInRanges(deletedAppRanges(developerId), { limit: 0 });
  return first(reader, sql<{ row: string }>`select row from deleted_apps where id in ${ids}`);
}

async function first<Row>(reader: Reader, query: RawBuilder<Row>): Promise<Row | null> {
  const [row] = await reader.rows(query.compile(reader.builder));
  return row ?? null;
}

/** How often a developer was suspended, up to a limit, by the events that are not archived. */
export const countSuspensions = defineFind((db, { developerId, limit }: OfDeveloper & { limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .select('id')
        // Exactly as in the index, so that both engines recognise it.
        .where(sql<boolean>`type = 'developer.suspended'`)
        .where('subject_id', '=', developerId)
        .limit(limit)
        .as('counted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('suspensions')),
);
