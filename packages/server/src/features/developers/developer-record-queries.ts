import { type RawBuilder, sql } from 'kysely';
import { type IndexRanges, keysInRanges, rowsInRanges } from '../../storage/queries/index-ranges.ts';
import { find } from '../../storage/query.ts';
import type { Reader } from '../../storage/statement.ts';
import type { AppRow } from '../../storage/tables.ts';

interface OfDeveloper {
  developerId: string;
}

const statuses: AppRow['review_status'][] = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'];

/** The apps of a developer, as the ranges of one index. */
function appsOf(developerId: string, some = statuses): IndexRanges {
  return {
    table: 'apps',
    leading: ['developer_id', 'review_status', 'changed_since_approval'],
    ranges: some.flatMap((status) => [0, 1].map((changed) => [developerId, status, changed])),
    order: ['id'],
  };
}

function deletedAppsOf(developerId: string): IndexRanges {
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
    ...statuses.map((status) => sql`${count(appsOf(developerId, [status]))} as ${sql.ref(status)}`),
    sql`${count(deletedAppsOf(developerId))} as deleted`,
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
  const apps = keysInRanges(appsOf(developerId), newest);
  const deleted = keysInRanges(deletedAppsOf(developerId), newest);
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
    }>`select created_at from apps where id in ${keysInRanges(appsOf(developerId), { limit: 0 })}`,
  );
}

/** The first deleted app of a developer, as it was. */
export function findFirstDeletedApp(reader: Reader, { developerId }: OfDeveloper): Promise<{ row: string } | null> {
  const ids = keysInRanges(deletedAppsOf(developerId), { limit: 0 });
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
export const countSuspensions = find((db, { developerId, limit }: OfDeveloper & { limit: number }) =>
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
