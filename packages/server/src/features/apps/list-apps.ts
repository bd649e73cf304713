import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readListedIds } from '../../kernel/listed-ids.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { sortingOf } from '../../kernel/sorting.ts';
import { catchUp } from '../search/projections.ts';
import { listAppPageByHost } from './app-by-host-queries.ts';
import { type AppFilter, listAppPage, someAppIds } from './app-queries.ts';
import { operatorView } from './app-view.ts';
import { nameKey } from './name-key.ts';
import { AppQuery, type OperatorApp } from './operator-app.ts';
import { hostKey, notAHost, readHost } from './review/warnings/hosts.ts';

/**
 * A page of the apps in a status, of a developer, with names that start with a text, or with addresses at a host or below
 * it; with several filters, of those that match all; or of the apps with some ids. Ordered by host if filtered by host, by
 * name if filtered by name, else by id, unless sorted otherwise. Refuses with `invalid_content`.
 */
export async function listApps(registry: Registry, input: unknown): Promise<TotalPageOf<OperatorApp>> {
  const { withTotal, ...given } = requireValid(AppQuery, input);
  const { hostKey, ...filter } = readFilter(registry, given);
  const { reader } = registry.storage;
  const sorting = given.sort && { sorting: sortingOf(given.sort, orders) };
  if (hostKey !== undefined) await catchUp(registry);
  const page = await readPage(given, {
    name: 'apps',
    read: (request) =>
      hostKey === undefined
        ? listAppPage(reader, filter, { ...request, ...sorting })
        : listAppPageByHost(reader, { ...filter, hostKey }, request),
    view: (app) => operatorView(registry, app, app.changes_to_approved),
  });
  // Of the apps at a host only those of a page are known.
  if (!withTotal || hostKey !== undefined) return page;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const total = await listTotal(registry, { table: 'apps', isFiltered, ids: (limit) => someAppIds(filter, limit) });
  return { ...page, ...total };
}

const orders = { id: ['id'], name: ['name_key', 'id'] } as const;

function readFilter(registry: Registry, query: AppQuery): AppFilter & { hostKey: string | undefined } {
  const { status, developerId, name, host: text, changedSinceApproval, sort } = query;
  if (query.ids !== undefined) {
    const others = { status, developerId, name, text, changedSinceApproval, sort };
    return { ids: readListedIds(query.ids, 'app', others), hostKey: undefined };
  }
  const ids = new PlatformIds();
  const host = text === undefined ? undefined : readHost(text);
  const filter = {
    status,
    changedSinceApproval,
    developerId: developerId === undefined ? undefined : ids.read(developerId, registry.userIdPrefix, '/developerId'),
    nameKeyPrefix: name === undefined ? undefined : nameKey(name),
    hostKey: host ? hostKey(host) : undefined,
  };
  throwIfInvalid([...ids.errors, ...(host === null ? [notAHost('/host')] : []), ...sortErrors(query)]);
  return filter;
}

/** A list by name or host is read in that order. */
function sortErrors({ sort, name, host }: AppQuery): ValidationError[] {
  const error = { pointer: '/sort', code: 'not_allowed' } as const;
  if (sort !== undefined && host !== undefined) {
    return [{ ...error, detail: 'Apps at a host are ordered by host. Omit either the order or the host.' }];
  }
  if (sort?.endsWith('id') && name !== undefined) {
    return [{ ...error, detail: 'With a name filter, apps are ordered by name. Sort by name, or omit the filter.' }];
  }
  return [];
}
