import { type RawBuilder, sql } from 'kysely';
import { listPage, type PageOfRows, type PageRequest, requireNumber } from '../../storage/page.ts';
import { type Connection, change, find } from '../../storage/query.ts';
import { columns, type DeveloperRow } from '../../storage/tables.ts';

export const findDeveloper = find((db, { userId }: { userId: string }) =>
  db.selectFrom('developers').select(columns.developers).where('user_id', '=', userId),
);

/** Inside a write: the developer, who is neither changed nor suspended until the write ends. */
export const findDeveloperForShare = find((db, { userId }: { userId: string }) =>
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
export const replaceDeveloper = change((db, row: DeveloperRow) =>
  db
    .updateTable('developers')
    .set(Object.fromEntries(columns.developers.map((name) => [name, row[name]])))
    .where('user_id', '=', row.user_id),
);

export interface DeveloperSorting {
  order: readonly ('user_id' | 'email' | 'created_at')[];
  descending: boolean;
}

/** A page of the developers. Throws `ForeignPosition`. */
export function listDeveloperPage(
  connection: Connection,
  { sorting, ...request }: PageRequest & { sorting: DeveloperSorting },
): Promise<PageOfRows<DeveloperRow>> {
  if (sorting.order[0] === 'created_at') requireNumber(request.position);
  const query = connection.builder.selectFrom('developers').select(columns.developers);
  return listPage(connection, { query, ...sorting }, request);
}

/** Selects the ids of developers, up to a limit. */
export function someDeveloperIds(limit: number): RawBuilder<string> {
  return sql`select user_id from developers order by user_id limit ${limit}`;
}
