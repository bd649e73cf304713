import { PlatformIds } from '../../kernel/check.ts';
import { appNotFound, developerNotFound, requireAppId, throwIfInvalid } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { newId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { listTotal, readListedIds, readPage, sortingOf, totalPageOf } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import { type Registry, readsNotes } from '../../kernel/registry.ts';
import { appendEvent, readEventIds } from '../events/append-event.ts';
import { catchUp, mark } from '../search/projections.ts';
import { settingsDuring } from '../settings/settings.ts';
import { findDeveloperDuring, suspendedColumns } from '../suspension/suspended-developer.ts';
import { contentData, contentOf, givenContent, nameKey, requireOwnLogo } from './app-content.ts';
import {
  type AppFilter,
  findAppWithMode,
  insertApp,
  listAppPage,
  listAppPageByHost,
  someAppIds,
} from './app-queries.ts';
import { AppQuery, AppUpdate, AppWithWarnings, NewApp, OperatorApp } from './app-schemas.ts';
import { operatorView } from './app-view.ts';
import { changeAppContent, orNameTaken, withNameClaim } from './change-app-content.ts';
import { deleteApp, listDeletedApps, restoreApp } from './deleted-apps.ts';
import { newAppRow } from './next-app.ts';
import { currentClaims } from './review/review-claims.ts';
import { allowedSteps } from './review/transitions.ts';
import { warningsOf } from './review/warnings/app-warnings.ts';
import { hostKey, notAHost, readHost } from './review/warnings/hosts.ts';
import { changesToApproved, lockApp, revisionData } from './store-app.ts';
import { transferApp } from './transfer-app.ts';

const path = '/operator/v1/apps';

export const listApps = operation({
  id: 'listApps',
  method: 'GET',
  path,
  summary: 'List apps',
  description:
    'Lists the apps that match every filter, or those with some ids. Ordered by host with `host`, by name with `name`, otherwise by id or `sort`. There is no total with `host`.',
  scope: 'read',
  query: AppQuery,
  response: totalPageOf(OperatorApp, 'OperatorApp'),
  async run({ registry, query: { withTotal, ...given } }) {
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
  },
});

export const createApp = operation({
  id: 'createApp',
  method: 'POST',
  path,
  summary: 'Create an app, as a draft',
  scope: 'portal',
  body: NewApp,
  creates: true,
  response: OperatorApp,
  refusals: ['developer_not_found', 'name_taken'],
  async run({ registry, caller, body }) {
    const ids = new PlatformIds();
    const developerId = ids.read(body.developerId, registry.userIdPrefix, '/developerId');
    throwIfInvalid(ids.errors);
    const draft = newAppRow(registry, { id: newId('app'), developerId, content: contentOf(body) });
    const work = write(registry, caller, async (transaction) => {
      const claiming = withNameClaim(draft, await settingsDuring(transaction));
      const developer = await findDeveloperDuring(transaction, developerId);
      if (!developer) throw developerNotFound(developerId);
      const isSuspended = developer.suspended_at !== null;
      const row = isSuspended ? { ...claiming, ...suspendedColumns(claiming, developer) } : claiming;
      await requireOwnLogo(transaction, row.logo_id, developerId);
      await insertApp(transaction, row);
      await mark(transaction, row.id);
      await appendEvent(transaction, {
        ...{ caller, at: row.created_at, type: 'app.created', appId: row.id, subjectId: row.id },
        after: { developerId, ...revisionData(row), ...contentData(row) },
      });
      return operatorView(registry, row, 'live');
    });
    return work.catch((error) => {
      throw orNameTaken(error);
    });
  },
});

export const getAppAsOperator = operation({
  id: 'getAppAsOperator',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Show an app',
  description:
    'Returns the current and the last approved content, with warnings for the reviewer. Its `ETag` is required to approve or reject it.',
  scope: 'read',
  response: AppWithWarnings,
  refusals: ['app_not_found'],
  async run({ registry, params: { id }, scopes }) {
    requireAppId(id);
    const app = await findAppWithMode(registry.storage.reader, { id });
    if (!app) throw appNotFound();
    await catchUp(registry);
    const [warnings, claims] = await Promise.all([
      warningsOf(registry.storage.reader, [app]),
      currentClaims(registry, readsNotes(scopes) ? [id] : []),
    ]);
    const claim = claims.get(id);
    return {
      ...operatorView(registry, app, app.changes_to_approved),
      warnings: warnings.get(app.id) ?? [],
      reviewSteps: allowedSteps({ app, mode: app.changes_to_approved }),
      ...(claim && { claim }),
    };
  },
});

export const updateAppAsOperator = operation({
  id: 'updateAppAsOperator',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update an app',
  description: 'Updates the app by the same rules as Update App.',
  scope: 'portal',
  body: AppUpdate,
  ifMatch: 'optional',
  response: OperatorApp,
  refusals: ['app_not_found', 'app_under_review', 'name_taken'],
  async run({ registry, caller, params: { id }, body, ifRevision, unlessRevision }) {
    const given = givenContent(body);
    const work = write(registry, caller, async (transaction) => {
      const [app, mode, nextEventId] = await Promise.all([
        lockApp(transaction, id),
        changesToApproved(transaction),
        readEventIds(transaction),
      ]);
      const change = { transaction, app, mode, nextEventId, given, ifRevision, unlessRevision };
      const changed = await changeAppContent(registry, caller, change);
      return operatorView(registry, changed.app, mode);
    });
    return work.catch((error) => {
      throw orNameTaken(error);
    });
  },
});

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

/** Apps of any developer. */
export const appOperations = byId(
  listApps,
  createApp,
  getAppAsOperator,
  updateAppAsOperator,
  deleteApp,
  listDeletedApps,
  restoreApp,
  transferApp,
);
