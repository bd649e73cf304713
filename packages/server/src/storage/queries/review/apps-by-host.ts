import { sql } from 'kysely';
import { listPage, type PageOfRows, type PageRequest } from '../../page.ts';
import type { Connection } from '../../query.ts';
import { type AppIdentityRow, columns } from '../../tables.ts';
import type { AppFilter, AppRowWithMode } from '../apps.ts';
import { rowsInRanges } from '../index-ranges.ts';
import { changesToApproved } from '../platform-apps.ts';

type HostOfApp = Pick<AppIdentityRow, 'value' | 'app_id'>;

/**
 * A page of the apps that have a host or one below it, by host. Each app comes once, at its first host, and the page reads
 * no more rows than its limit from the index; so it may have fewer apps, also none, although the list continues.
 */
export async function listAppPageByHost(
  connection: Connection,
  { hostKey, ...filter }: AppFilter & { hostKey: string },
  request: PageRequest,
): Promise<PageOfRows<AppRowWithMode>> {
  const { rows: hosts, ...around } = await listHostPage(connection, hostKey, request);
  if (hosts.length === 0) return { rows: [], ...around };
  const ids = [...new Set(hosts.map(({ app_id }) => app_id))];
  const [firsts, apps] = await Promise.all([
    listFirstHosts(connection, hostKey, ids),
    listMatchingApps(connection, filter, ids),
  ]);
  const firstOf = new Map(firsts.map(({ app_id, value }) => [app_id, value]));
  const appOf = new Map(apps.map((app) => [app.id, app]));
  const first = new Set(hosts.filter(({ app_id, value }) => firstOf.get(app_id) === value).map(({ app_id }) => app_id));
  return { rows: [...first].flatMap((id) => appOf.get(id) ?? []), ...around };
}

/** One query, by the index of hosts. */
export function listHostPage(
  connection: Connection,
  hostKey: string,
  request: PageRequest,
): Promise<PageOfRows<HostOfApp>> {
  const order = ['value', 'app_id'] as const;
  const host = { table: 'app_identities', leading: ['kind'], ranges: [['host']], order, prefix: hostKey } as const;
  const [range] = rowsInRanges(host, request);
  // Named as a table that has these columns.
  const query = connection.builder
    .selectFrom(sql<HostOfApp>`(${range})`.as('app_identities'))
    .select(['value', 'app_id']);
  return listPage(connection, { query: query as never, order }, request);
}

/** The first host of each of these apps that is in the list. */
function listFirstHosts(connection: Connection, hostKey: string, ids: string[]): Promise<HostOfApp[]> {
  const query = connection.builder
    .selectFrom('app_identities')
    .select(['app_id', (column) => column.fn.min('value').as('value')])
    .where('app_id', 'in', ids)
    .where('kind', '=', 'host')
    .where(startsWith('value', hostKey))
    .groupBy('app_id');
  return connection.rows(query.compile());
}

function listMatchingApps(
  connection: Connection,
  { status, developerId, changedSinceApproval, nameKeyPrefix }: AppFilter,
  ids: string[],
): Promise<AppRowWithMode[]> {
  let query = connection.builder
    .selectFrom('apps')
    .select(columns.apps)
    .select(changesToApproved)
    .where('id', 'in', ids);
  if (status !== undefined) query = query.where('review_status', '=', status);
  if (developerId !== undefined) query = query.where('developer_id', '=', developerId);
  if (nameKeyPrefix !== undefined) query = query.where(startsWith('name_key', nameKeyPrefix));
  if (changedSinceApproval !== undefined) {
    query = query.where(sql<boolean>`changed_since_approval = ${Number(changedSinceApproval)}`);
  }
  return connection.rows(query.compile());
}

/** A condition that leads to no search by this column: the rows are found by their ids. */
function startsWith(column: string, prefix: string) {
  return sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit([...prefix].length)}) = ${prefix}`;
}
