import { listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, change, find } from '../query.ts';
import { columns, type DeveloperRow } from '../tables.ts';

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

/** A page of the developers, by id. */
export function listDeveloperPage(connection: Connection, request: PageRequest): Promise<PageOfRows<DeveloperRow>> {
  const query = connection.builder.selectFrom('developers').select(columns.developers);
  return listPage(connection, { query, order: ['user_id'] }, request);
}
