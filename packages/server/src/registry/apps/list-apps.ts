import { AppQuery, type OperatorApp } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';
import { type AppFilter, listAppPage } from '../../storage/queries/apps.ts';
import { listAppPageByHost } from '../../storage/queries/review/apps-by-host.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { hostKey, notAHost, readHost } from '../review/warnings/hosts.ts';
import { operatorView } from './app-view.ts';
import { nameKey } from './name-key.ts';

/**
 * A page of the apps in a status, of a developer, with names that start with a text, or with addresses at a host or below
 * it; with several filters, of those that match all. Ordered by host if filtered by host, by name if filtered by name, else
 * by id. Refuses with `invalid_content`.
 */
export async function listApps(registry: Registry, input: unknown): Promise<PageOf<OperatorApp>> {
  const given = requireValid(AppQuery, input);
  const { hostKey, ...filter } = readFilter(registry, given);
  const { reader } = registry.storage;
  return readPage(given, {
    name: 'apps',
    read: (request) =>
      hostKey === undefined
        ? listAppPage(reader, filter, request)
        : listAppPageByHost(reader, { ...filter, hostKey }, request),
    view: (app) => operatorView(registry, app, app.changes_to_approved),
  });
}

function readFilter(
  registry: Registry,
  { status, developerId, name, host: text, changedSinceApproval }: AppQuery,
): AppFilter & { hostKey: string | undefined } {
  const ids = new PlatformIds();
  const host = text === undefined ? undefined : readHost(text);
  const filter = {
    status,
    changedSinceApproval,
    developerId: developerId === undefined ? undefined : ids.read(developerId, registry.userIdPrefix, '/developerId'),
    nameKeyPrefix: name === undefined ? undefined : nameKey(name),
    hostKey: host ? hostKey(host) : undefined,
  };
  throwIfInvalid([...ids.errors, ...(host === null ? [notAHost('/host')] : [])]);
  return filter;
}
