import { sql } from 'kysely';
import { listPage, type PageOfRows, type PageRequest } from '../../storage/page.ts';
import { rowsInRanges } from '../../storage/queries/index-ranges.ts';
import type { Connection } from '../../storage/query.ts';
import { changesToApproved } from '../../storage/request-lookup-columns.ts';
import { type AppIdentityRow, columns } from '../../storage/tables.ts';
import type { AppFilter, AppRowWithMode } from './app-queries.ts';

/** The columns that order the list, of which an app has several rows. */
const order = ['value', 'app_id', 'source', 'field'] as const;
type HostOfApp = Pick<AppIdentityRow, (typeof order)[number]>;

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
  const [all, apps] = await Promise.all([
    listHostsOf(connection, hostKey, ids),
    listMatchingApps(connection, filter, ids),
  ]);
  const firstOf = new Map(all.toReversed().map((host) => [host.app_id, host]));
  const appOf = new Map(apps.map((app) => [app.id, app]));
  const firsts = hosts.filter((host) => order.every((column) => host[column] === firstOf.get(host.app_id)?.[column]));
  return { rows: firsts.flatMap(({ app_id }) => appOf.get(app_id) ?? []), ...around };
}

/** One query, by the index of hosts. */
export function listHostPage(
  connection: Connection,
  hostKey: string,
  request: PageRequest,
): Promise<PageOfRows<HostOfApp>> {
  const also = sql<boolean>`kind = 'host'`;
  const hosts = { table: 'app_identities', leading: [], ranges: [[]], order, prefix: hostKey, also } as const;
  const [range] = rowsInRanges(hosts, request);
  const query = connection.builder.selectFrom(sql<HostOfApp>`(${range})`.as('one_range')).select(order);
  return listPage(connection, { query: query as never, order }, request);
}

/** The hosts of some apps that are in the list, in its order. */
function listHostsOf(connection: Connection, hostKey: string, ids: string[]): Promise<HostOfApp[]> {
  const query = connection.builder
    .selectFrom('app_identities')
    .select(order)
    .where('app_id', 'in', ids)
    .where('kind', '=', 'host')
    .where(startsWith('value', hostKey));
  return connection.rows(order.reduce((sorted, column) => sorted.orderBy(column), query).compile());
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
