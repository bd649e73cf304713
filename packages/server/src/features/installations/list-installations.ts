import Type from 'typebox';
import { PlatformIds, throwIfInvalid } from '../../kernel/check.ts';
import { invalidContent } from '../../kernel/failure.ts';
import { operation } from '../../kernel/operation.ts';
import {
  idsParameter,
  listTotal,
  pageParameters,
  readListedIds,
  readPage,
  sortingOf,
  sortParameter,
  timeParameters,
  totalPageOf,
  totalParameter,
} from '../../kernel/page.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { PageOfRows } from '../../storage/row-pages.ts';
import { OperatorInstallation, operatorInstallationView } from './installation.ts';
import {
  type InstallationFilter,
  type InstallationPageRequest,
  type InstallationSorting,
  listInstallationPage,
  someInstallationIds,
} from './installation-queries.ts';

/** What one page reads at most, so that no request works for long. */
export const searchedMax = 10_000;
const batchMax = 1_000;

const Id = Type.String({ minLength: 1, maxLength: 100 });

/** The query of a list of installations: all of them, those that meet every filter, or those with one of some ids. */
const InstallationQuery = Type.Object(
  {
    appId: Type.Optional(Id),
    workspaceId: Type.Optional(Id),
    userId: Type.Optional(Id),
    enabled: Type.Optional(
      Type.Boolean({
        description:
          'Only enabled or only disabled installations. Each page searches a bounded number of installations and may have no items.',
      }),
    ),
    ...idsParameter,
    ...sortParameter(['id', 'createdAt', 'appId'], {
      described:
        'the only one with these filters: `createdAt` with `appId` alone, `appId` with `workspaceId` or `userId` but no `appId`, otherwise `id`',
    }),
    ...timeParameters('`createdAt`, if the list is sorted by it,'),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
type InstallationQuery = Type.Static<typeof InstallationQuery>;

/** The filter decides which index there is, and so the order. With `enabled`, a search among them. */
export const listInstallations = operation({
  id: 'listInstallations',
  method: 'GET',
  path: '/operator/v1/installations',
  summary: 'List installations',
  description:
    'Lists all installations, or those that match every filter. The filter decides what they are sorted by. With `enabled`, pages are read forwards only, without `prevCursor`.',
  scope: 'read',
  orScope: 'install',
  query: InstallationQuery,
  response: totalPageOf(OperatorInstallation, 'OperatorInstallation'),
  command: {
    name: 'installation list',
    description:
      'List installations: all, or those that match every filter. They are ordered by creation time with --app alone, by app with --workspace or --user but no --app, otherwise by id; --sort can only reverse that.',
    options: {
      appId: '--app <id> the app id',
      workspaceId: '--workspace <id> the workspace id, as a TypeID or UUID',
      userId: '--user <id> only installations by this user, by id as a TypeID or UUID',
      enabled: 'search for enabled installations',
      ids: '--id <ids...> only installations with these ids; excludes other filters',
    },
    negations: { enabled: 'search for disabled installations' },
    columns: ['id', 'appId', 'workspaceId', 'userId', 'enabled'],
    examples: ['app-registry installation list --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --limit 100'],
  },
  async run({ registry, query: { withTotal, ...given } }) {
    const { reader } = registry.storage;
    const filter = readFilter(registry, given);
    const byDefault = defaultSort(given);
    const sorting = readSorting(given, byDefault);
    const page = await readPage(given, {
      name: 'installations',
      byDefault,
      filters: {
        appId: filter.app_id,
        workspaceId: filter.workspace_id,
        userId: filter.user_id,
        ids: filter.ids,
      },
      read: (request) =>
        given.enabled === undefined
          ? listInstallationPage(reader, filter, { ...request, sorting })
          : searchInstallations(reader, { filter, enabled: given.enabled, request: { ...request, sorting } }),
      view: operatorInstallationView,
    });
    // Of a search only what it has read is known.
    if (!withTotal || given.enabled !== undefined) return page;
    const ids = (limit: number) => someInstallationIds(filter, sorting, limit);
    const isFiltered = Object.keys(filter).length > 0;
    return { ...page, ...(await listTotal(registry, { table: 'installations', isFiltered, ids })) };
  },
});

function readFilter(registry: Registry, { ids: list, ...query }: InstallationQuery): InstallationFilter {
  const { appId, workspaceId, userId, enabled, sort, since, until } = query;
  if (list !== undefined)
    return { ids: readListedIds(list, 'installation', { appId, workspaceId, userId, enabled, sort, since, until }) };
  const ids = new PlatformIds();
  const filter: InstallationFilter = {
    ...(appId !== undefined && { app_id: ids.read(appId, 'app', '/appId') }),
    ...(workspaceId !== undefined && {
      workspace_id: ids.read(workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    }),
    ...(userId !== undefined && { user_id: ids.read(userId, registry.userIdPrefix, '/userId') }),
  };
  throwIfInvalid(ids.errors);
  return filter;
}

/** The order of the index that serves the filter. */
function defaultSort({ appId, workspaceId, userId }: InstallationQuery): 'id' | 'appId' | 'createdAt' {
  const isOfOthers = workspaceId !== undefined || userId !== undefined;
  if (appId === undefined) return isOfOthers ? 'appId' : 'id';
  return isOfOthers ? 'id' : 'createdAt';
}

/** The order of that name in either direction. Refuses any other with `invalid_content`. */
function readSorting(query: InstallationQuery, name: ReturnType<typeof defaultSort>): InstallationSorting {
  const { workspaceId, sort } = query;
  if (sort !== undefined && sort.replace('-', '') !== name) {
    const detail = `With these filters, installations are sorted by ${name}. Omit the order, or send ${name} or -${name}.`;
    throw invalidContent([{ pointer: '/sort', code: 'not_allowed', detail }]);
  }
  const byApp = workspaceId === undefined ? (['app_id', 'id'] as const) : (['app_id'] as const);
  return sortingOf(query, { id: ['id'], createdAt: ['created_at', 'id'], appId: byApp }, name);
}

interface Search {
  filter: InstallationFilter;
  enabled: boolean;
  request: InstallationPageRequest;
}

type Rows = Awaited<ReturnType<typeof listInstallationPage>>;

/**
 * A page of either the enabled or the disabled installations of a filter. It ends when it is full or has read as much
 * as a page may; then `next` continues after the last one that was read.
 */
async function searchInstallations(
  reader: Connection,
  { filter, enabled, request: { limit, position, sorting } }: Search,
): Promise<Rows> {
  const rows: Rows['rows'] = [];
  let from = position;
  for (let read = 0; ; ) {
    const request = { limit: batchMax, sorting, ...(from && { position: from }) };
    const batch = await listInstallationPage(reader, filter, request);
    const matches = batch.rows.filter((row) => (row.enabled === 1) === enabled);
    const lastThatFits = matches[limit - rows.length - 1];
    rows.push(...matches.slice(0, limit - rows.length));
    if (lastThatFits) return { rows, ...(await nextAfter(reader, { filter, request, batch, last: lastThatFits })) };
    read += batch.rows.length;
    if (!batch.next || read >= searchedMax) return { rows, ...(batch.next && { next: batch.next }) };
    from = batch.next;
  }
}

/** Where to continue after a row of a batch: the end of a batch that ends there. */
async function nextAfter(
  reader: Connection,
  {
    filter,
    request,
    batch,
    last,
  }: { filter: InstallationFilter; request: InstallationPageRequest; batch: Rows; last: Rows['rows'][0] },
): Promise<Pick<PageOfRows<unknown>, 'next'>> {
  const limit = batch.rows.indexOf(last) + 1;
  const { next } =
    limit === batch.rows.length ? batch : await listInstallationPage(reader, filter, { ...request, limit });
  return next ? { next } : {};
}
