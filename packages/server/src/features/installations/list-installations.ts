import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readListedIds } from '../../kernel/listed-ids.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Registry } from '../../kernel/registry.ts';
import { operatorInstallationView } from './causes.ts';
import { InstallationQuery, type OperatorInstallation } from './installation.ts';
import { type InstallationFilter, listInstallationPage, someInstallationIds } from './installation-queries.ts';
import { searchInstallations } from './search-installations.ts';

/**
 * A page of all installations, of those of an app, in a workspace or by a user, or of those with some ids; several filters
 * must all match. The filter decides the order: without one, and of some ids, that of the ids. With `enabled`, a search
 * among them. Refuses with `invalid_content`.
 */
export async function listInstallations(
  registry: Registry,
  input: unknown,
): Promise<TotalPageOf<OperatorInstallation>> {
  const { withTotal, ...given } = requireValid(InstallationQuery, input);
  const filter = readFilter(registry, given);
  const page = await readPage(given, {
    name: 'installations',
    read: (request) =>
      given.enabled === undefined
        ? listInstallationPage(registry.storage.reader, filter, request)
        : searchInstallations(registry.storage.reader, { filter, enabled: given.enabled, request }),
    view: operatorInstallationView,
  });
  // Of a search only what it has read is known.
  if (!withTotal || given.enabled !== undefined) return page;
  const ids = (limit: number) => someInstallationIds(filter, limit);
  const isFiltered = Object.keys(filter).length > 0;
  return { ...page, ...(await listTotal(registry, { table: 'installations', isFiltered, ids })) };
}

function readFilter(registry: Registry, { ids: list, ...query }: InstallationQuery): InstallationFilter {
  const { appId, workspaceId, userId, enabled } = query;
  if (list !== undefined) return { ids: readListedIds(list, 'installation', { appId, workspaceId, userId, enabled }) };
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
