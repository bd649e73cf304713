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

/** The apps of a developer, as the ranges of one index. */
function appRanges(developerId: string, some = statuses): IndexRanges {
  return {
    table: 'apps',
    leading: ['developer_id', 'review_status', 'changed_since_approval'],
    ranges: some.flatMap((status) => [0, 1].map((changed) => [developerId, status, changed])),
    order: ['id'],
  };
}

function deletedAppRanges(developerId: string): IndexRanges {
  return { table: 'deleted_apps', leading: ['developer_id'], ranges: [[developerId]], order: ['id'] };
}

type AppCounts = Record<AppRow['review_status'] | 'deleted', number>;

/** How many apps in each status a developer has, and how many were deleted: up to a limit for each range of the index. */
export async function countAppsOfDeveloper(
  reader: Reader,
  { developerId, limit }: OfDeveloper & { limit: number },
): Promise<AppCounts> {
  const count = (list: IndexRanges) =>
    sql.join(
      rowsInRanges(list, { limit: limit - 1 }).map((range) => sql`(select count(*) from (${range}) as one_range)`),
      sql` + `,
    );
  const counts = [
    ...statuses.map((status) => sql`${count(appRanges(developerId, [status]))} as ${sql.ref(status)}`),
    sql`${count(deletedAppRanges(developerId))} as deleted`,
  ];
  const query = sql<AppCounts>`select ${sql.join(counts)}`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row as AppCounts;
}

/** The ids of the newest apps of a developer, and of the newest deleted ones: up to a limit of each. */
export async function listNewestAppIds(
  reader: Reader,
  { developerId, limit }: OfDeveloper & { limit: number },
): Promise<string[]> {
  const newest = { limit: limit - 1, position: { side: 'before' as const, values: [lastId] } };
  const apps = keysInRanges(appRanges(developerId), newest);
  const deleted = keysInRanges(deletedAppRanges(developerId), newest);
  const query = sql<{ id: string }>`select id from ${apps} as newest_apps
    union all select id from ${deleted} as newest_deleted`;
  return (await reader.rows(query.compile(reader.builder))).map(({ id }) => id);
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

interface DecisionCount {
  step: string;
  count: number;
  last: number;
}

/** How many decisions of each step were made about these apps, and when the last one was: among at most as many as the limit. */
export async function countDecisions(
  reader: Reader,
  { appIds, limit }: { appIds: string[]; limit: number },
): Promise<DecisionCount[]> {
  if (appIds.length === 0) return [];
  const made = reader.builder
    .selectFrom('decisions')
    .select(['step', 'decided_at'])
    .where('app_id', 'in', appIds)
    .limit(limit)
    .as('made');
  const query = reader.builder
    .selectFrom(made)
    .select(({ fn }) => ['step', fn.countAll<number>().as('count'), fn.max('decided_at').as('last')])
    .groupBy('step');
  return reader.rows(query.compile());
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
