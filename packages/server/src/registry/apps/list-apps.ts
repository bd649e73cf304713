import { AppQuery, type OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';
import { type AppFilter, listAppPage } from '../../storage/queries/apps.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { operatorView } from './app-view.ts';
import { nameKey } from './name-key.ts';

/**
 * A page of the apps in a status, of a developer, or with names that start with a text; with several filters, of those
 * that match all. Ordered by name if filtered by name, else by id. Refuses with `invalid_content`.
 */
export async function listApps(registry: Registry, input: unknown): Promise<PageOf<OperatorApp>> {
  const given = requireValid(AppQuery, input);
  const filter = readFilter(registry, given);
  return readPage(given, {
    name: 'apps',
    read: (request) => listAppPage(registry.storage.reader, filter, request),
    view: (app) => operatorView(registry, app, app.changes_to_approved),
  });
}

function readFilter(registry: Registry, { status, developerId, name, changedSinceApproval }: AppQuery): AppFilter {
  const ids = new PlatformIds();
  const filter: AppFilter = {
    status,
    changedSinceApproval,
    developerId: developerId === undefined ? undefined : ids.read(developerId, registry.userIdPrefix, '/developerId'),
    nameKeyPrefix: name === undefined ? undefined : nameKey(name),
  };
  throwIfInvalid(ids.errors);
  return filter;
}
