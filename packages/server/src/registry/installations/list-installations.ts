import { InstallationQuery, type OperatorInstallation } from '../../contract/installation.ts';
import type { PageOf } from '../../contract/page.ts';
import { type InstallationFilter, listInstallationPage } from '../../storage/queries/installations.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { operatorInstallationView } from './causes.ts';

/**
 * A page of the installations of an app, in a workspace or by a user; several filters must all match. The filter decides the order. Refuses
 * with `invalid_content`, also when there is no filter.
 */
export async function listInstallations(registry: Registry, input: unknown): Promise<PageOf<OperatorInstallation>> {
  const given = requireValid(InstallationQuery, input);
  const filter = readFilter(registry, given);
  return readPage(given, {
    // Cursors of older programs have positions in another order.
    name: 'installations in the order of their filter',
    read: (request) => listInstallationPage(registry.storage.reader, filter, request),
    view: operatorInstallationView,
  });
}

function readFilter(registry: Registry, { appId, workspaceId, userId }: InstallationQuery): InstallationFilter {
  const ids = new PlatformIds();
  const filter: InstallationFilter = {
    ...(appId !== undefined && { app_id: ids.read(appId, 'app', '/appId') }),
    ...(workspaceId !== undefined && {
      workspace_id: ids.read(workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    }),
    ...(userId !== undefined && { user_id: ids.read(userId, registry.userIdPrefix, '/userId') }),
  };
  throwIfInvalid(ids.errors);
  if (Object.keys(filter).length === 0) {
    throwIfInvalid([{ pointer: '', code: 'required', detail: 'Name an app, a workspace or a user.' }]);
  }
  return filter;
}
