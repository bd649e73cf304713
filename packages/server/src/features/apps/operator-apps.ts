import Type from 'typebox';
import { PlatformIds, requirePlatformId, throwIfInvalid } from '../../kernel/check.ts';
import { developerNotFound } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { newId, requireAppId } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { listTotal, readListedIds, readPage, type Sort, sortingOf, totalPageOf } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import { type Registry, readsNotes } from '../../kernel/registry.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { AppRow } from '../../storage/tables.ts';
import { findDeveloperDuring, suspendedColumns } from '../developers/suspended-developer.ts';
import { appendEvent, readEventIds } from '../events/append-event.ts';
import { settingsDuring } from '../settings/settings.ts';
import { completeContent, contentData, givenContent, nameKey } from './app-content.ts';
import { contentNegations, contentOptions } from './app-content-options.ts';
import {
  type AppFilter,
  findAppWithSetting,
  insertApp,
  listAppPage,
  listAppPageByHost,
  someAppIds,
} from './app-queries.ts';
import { AppQuery, AppSummary, AppUpdate, AppWithWarnings, NewApp, OperatorApp } from './app-schemas.ts';
import { listedView, operatorView } from './app-view.ts';
import {
  changeAppContent,
  lockApp,
  orNameTaken,
  readChangesToApproved,
  requireOwnLogo,
  revisionData,
  withNameClaim,
} from './change-app.ts';
import { hostKey, notAHost, readHost } from './comparison/hosts.ts';
import { catchUp } from './comparison/projections.ts';
import { deleteApp, getDeletedApp, listDeletedApps, restoreApp } from './deleted-apps.ts';
import { type ChangesToApproved, newAppRow } from './next-app.ts';
import { listWarnings } from './review/app-warnings.ts';
import { currentClaims } from './review/review-claims.ts';
import type { ReviewWarning } from './review/review-warning.ts';
import { allowedSteps } from './review/transitions.ts';
import { transferApp } from './transfer-app.ts';

const path = '/operator/v1/apps';

export const listApps = operation({
  id: 'listApps',
  method: 'GET',
  path,
  summary: 'List apps',
  description: 'Lists the apps that match every filter, or those with some ids. There is no total with `host`.',
  scope: 'read',
  query: AppQuery,
  response: totalPageOf(Type.Union([OperatorApp, AppSummary]), 'App'),
  command: {
    name: 'app list',
    description:
      'List the apps that match every filter, or those with the given ids. By default ordered by host with --host, by name with --name, otherwise by id.',
    options: {
      status: '<status...> only apps with one of these review statuses',
      developerId: '--developer <id> only apps of this developer, by user id as a TypeID or UUID',
      name: '<prefix> only apps whose name starts with this, regardless of case',
      host: '<host> only apps with a current or approved login or callback URL at this host or a subdomain',
      changedSinceApproval: 'only apps whose content differs from the approved content',
      view: '<view> summary (default) or full, which has the content',
      ids: '--id <ids...> only apps with these ids; excludes filters and --sort',
      deleted:
        'only the deleted apps that "app restore" can restore; of filters, only --developer, --since and --until',
    },
    negations: {
      changedSinceApproval: 'only apps whose content matches the approved content, or was never approved',
    },
    columns: ['id', 'name', 'reviewStatus', 'developerId', 'updatedAt'],
    examples: [
      'app-registry app list --status AWAITING_REVIEW --status REJECTED',
      'app-registry app list --name inv',
      'app-registry app list --host evil.example',
      'app-registry app list --sort name --with-total',
      'app-registry app list --sort -updatedAt --since 2026-03-01T00:00:00Z',
      'app-registry app list --deleted --sort -deletedAt',
    ],
  },
  async run({ registry, query }) {
    if (query.deleted) return listDeletedApps(registry, query);
    const { withTotal, view, ...given } = query;
    const { hostKey, ...filter } = readFilter(registry, given);
    const { reader } = registry.storage;
    const byDefault = given.name === undefined ? 'id' : 'name';
    const sorting = sortingOf({ ...given, sort: given.sort as Sort<keyof typeof orders> }, orders, byDefault);
    if (hostKey !== undefined) await catchUp(registry);
    const page = await readPage(given, {
      name: 'apps',
      byDefault,
      filters: {
        deleted: undefined,
        developerId: filter.developerId,
        name: filter.nameKeyPrefix,
        host: hostKey,
        ids: filter.ids,
      },
      read: (request) =>
        hostKey === undefined
          ? listAppPage(reader, filter, { ...request, sorting })
          : listAppPageByHost(reader, { ...filter, hostKey }, request),
      view: (app) => listedView(registry, app, { changesToApproved: app.changes_to_approved, view }),
    });
    // Of the apps at a host only those of a page are known.
    if (!withTotal || hostKey !== undefined) return page;
    const isFiltered = [...Object.values(filter), sorting.from, sorting.until].some((value) => value !== undefined);
    const ids = (limit: number) => someAppIds(filter, sorting, limit);
    return { ...page, ...(await listTotal(registry, { table: 'apps', isFiltered, ids })) };
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
  response: AppWithWarnings,
  refusals: ['developer_not_found', 'name_taken'],
  command: {
    name: 'app create',
    description: 'Create an app as a draft.',
    options: {
      developerId: '--developer <id> the user id of its developer',
      ...contentOptions({ withDefaults: true }),
    },
    examples: ['app-registry app create --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c --name "Invoice Sync"'],
  },
  async run({ registry, caller, body }) {
    const developerId = requirePlatformId(body.developerId, registry.userIdPrefix, '/developerId');
    const draft = newAppRow(registry, { id: newId('app'), developerId, content: completeContent(body) });
    const work = write(registry, caller, async (transaction) => {
      const claiming = withNameClaim(draft, await settingsDuring(transaction));
      const developer = await findDeveloperDuring(transaction, developerId);
      if (!developer) throw developerNotFound(developerId);
      const isSuspended = developer.suspended_at !== null;
      const row = isSuspended ? { ...claiming, ...suspendedColumns(claiming, developer) } : claiming;
      await requireOwnLogo(transaction, row.logo_id, developerId);
      await insertApp(transaction, row);
      await markForProjection(transaction, { subjectId: row.id });
      await appendEvent(transaction, {
        ...{ caller, at: row.created_at, type: 'app.created', appId: row.id, subjectId: row.id },
        after: { developerId, ...revisionData(row), ...contentData(row) },
      });
      // No decision depends on them yet, so an app that was approved in the last second may be missing from them.
      const warnings = await listWarnings(transaction, [row]);
      return viewWithWarnings(registry, { ...row, changes_to_approved: 'live' }, warnings);
    });
    return work.catch((error) => {
      throw orNameTaken(error);
    });
  },
});

export const getApp = operation({
  id: 'getApp',
  method: 'GET',
  path: `${path}/:id`,
  summary: 'Get an app',
  description:
    'Returns the current and the last approved content, with warnings for the reviewer. Its `ETag` is required to approve or reject it. A deleted app has `deletedAt` while it can be restored.',
  scope: 'read',
  response: AppWithWarnings,
  refusals: ['app_not_found'],
  command: {
    name: 'app get',
    description: 'Show an app with its content, revision and approved content, or its content at a revision or time.',
    arguments: { id: 'the app id' },
    examples: [
      'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e',
      'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e --revision 7',
      'app-registry app get app_01jq3v9y6ae0xv5m6b7k8c9d0e --at 2026-03-01T09:30:00Z',
    ],
  },
  async run({ registry, params: { id }, scopes }) {
    requireAppId(id);
    const app = await findAppWithSetting(registry.storage.reader, { id });
    // An operator who restores an app has to see it.
    if (!app) return { ...(await getDeletedApp(registry, id)), warnings: [], reviewSteps: [] };
    await catchUp(registry);
    const [warnings, claims] = await Promise.all([
      listWarnings(registry.storage.reader, [app]),
      currentClaims(registry, readsNotes(scopes) ? [id] : []),
    ]);
    return { ...viewWithWarnings(registry, app, warnings), ...claims.get(id) };
  },
});

export const updateApp = operation({
  id: 'updateApp',
  method: 'PATCH',
  path: `${path}/:id`,
  summary: 'Update an app',
  description: 'Updates the app by the same rules as Update App.',
  scope: 'portal',
  body: AppUpdate,
  ifMatch: true,
  response: OperatorApp,
  refusals: ['app_not_found', 'app_under_review', 'name_taken'],
  command: {
    name: 'app update',
    description: 'Update the given fields of an app. An empty value clears an optional field.',
    arguments: { id: 'the app id' },
    options: {
      ...contentOptions(),
    },
    negations: contentNegations,
    examples: ['app-registry app update app_01jq3v9y6ae0xv5m6b7k8c9d0e --name "Invoice Sync" --no-long-description'],
  },
  async run({ registry, caller, params: { id }, body, ifRevision, unlessRevision }) {
    const given = givenContent(body);
    const work = write(registry, caller, async (transaction) => {
      const [app, changesToApproved, nextEventId] = await Promise.all([
        lockApp(transaction, id),
        readChangesToApproved(transaction),
        readEventIds(transaction),
      ]);
      const change = { transaction, app, changesToApproved, nextEventId, given, ifRevision, unlessRevision };
      const changed = await changeAppContent(registry, caller, change);
      return operatorView(registry, changed.app, changesToApproved);
    });
    return work.catch((error) => {
      throw orNameTaken(error);
    });
  },
});

function viewWithWarnings(
  registry: Registry,
  app: AppRow & { changes_to_approved: ChangesToApproved },
  warnings: Map<string, ReviewWarning[]>,
): AppWithWarnings {
  const { changes_to_approved: changesToApproved } = app;
  return {
    ...operatorView(registry, app, changesToApproved),
    warnings: warnings.get(app.id) ?? [],
    reviewSteps: allowedSteps({ app, changesToApproved }),
  };
}

const orders = {
  id: ['id'],
  name: ['name_key', 'id'],
  createdAt: ['created_at', 'id'],
  updatedAt: ['updated_at', 'id'],
} as const;

function readFilter(registry: Registry, query: AppQuery): AppFilter & { hostKey: string | undefined } {
  const { status, developerId, name, host: text, changedSinceApproval, sort, since, until } = query;
  if (query.ids !== undefined) {
    const others = { status, developerId, name, text, changedSinceApproval, sort, since, until };
    return { ids: readListedIds(query.ids, 'app', others), hostKey: undefined };
  }
  const ids = new PlatformIds();
  const host = text === undefined ? undefined : readHost(text);
  const filter = {
    statuses: status,
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
  if (sort?.endsWith('deletedAt')) {
    return [{ ...error, detail: 'Only deleted apps are sorted by deletedAt. Send deleted=true too.' }];
  }
  if (sort !== undefined && host !== undefined) {
    return [{ ...error, detail: 'Apps at a host are ordered by host. Omit either the order or the host.' }];
  }
  if (sort !== undefined && !sort.endsWith('name') && name !== undefined) {
    return [{ ...error, detail: 'With a name filter, apps are ordered by name. Sort by name, or omit the filter.' }];
  }
  return [];
}

/** Apps of any developer. */
export const appOperations = byId(listApps, createApp, getApp, updateApp, deleteApp, restoreApp, transferApp);
