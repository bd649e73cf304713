import Type from 'typebox';
import { requirePlatformId, throwIfInvalid } from '../../kernel/check.ts';
import { dryRunQuery, orDryRun } from '../../kernel/dry-run.ts';
import { appNotFound, Failure } from '../../kernel/failure.ts';
import { write } from '../../kernel/idempotency.ts';
import { requireAppId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { listTotal, type PageOf, readPage, type Sort, sortingOf, type Total } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { requireRevision } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/text.ts';
import { trustedTime } from '../../kernel/time.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, DeletedAppRow, DeveloperRow } from '../../storage/tables.ts';
import { findDeveloperDuring, suspendedColumns } from '../developers/suspended-developer.ts';
import { appendEvent, appendEvents, type Change, type ChangeContext } from '../events/append-event.ts';
import { installationDeleted } from '../installations/installation-changes.ts';
import { deleteSomeInstallationsOfApp } from '../installations/installation-queries.ts';
import { settingsDuring } from '../settings/settings.ts';
import { appOfDeleted, isRestorable, nameKey, restorableMs, toDeletedRow } from './app-content.ts';
import { deleteApp as deleteAppRow, insertApp } from './app-queries.ts';
import { type AppQuery, type AppSummary, type ListView, OperatorApp } from './app-schemas.ts';
import { listedView, type OperatorViewBase, operatorView } from './app-view.ts';
import { appEventData, isClaimed, lockApp, withNameClaim } from './change-app.ts';
import {
  findDeletedApp,
  findDeletedAppForUpdate,
  insertDeletedApp,
  listDeletedAppPage,
  listDeletedUntil,
  removeDeletedApp,
  someDeletedAppIds,
} from './deleted-app-queries.ts';
import { effectiveChange, nextApp, nextPlatformRevision } from './next-app.ts';
import { deleteDecisionsOfApp, deleteNotesOfApp } from './review/review-queries.ts';

const deletedAtOnce = 1_000;

const Deletion = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({
        description:
          'Whether to delete its installations too. Without it, an app with installations cannot be deleted.',
      }),
    ),
    ...dryRunQuery,
  },
  { additionalProperties: false },
);

/** The app can no longer be found, and its name becomes free. For 30 days it can be restored, without its installations. */
export const deleteApp = operation({
  id: 'deleteApp',
  method: 'DELETE',
  path: '/operator/v1/apps/:id',
  summary: 'Delete an app',
  description: 'Deletes the app and frees its name. The app can be restored for 30 days.',
  scope: 'admin',
  query: Deletion,
  ifMatch: true,
  response: orDryRun(OperatorApp, 'OperatorApp'),
  refusals: ['app_not_found', 'app_installed'],
  command: {
    name: 'app delete',
    description: 'Delete an app. Prints the deleted app, which can be restored for 30 days.',
    arguments: { id: 'the app id' },
    options: { force: 'also delete its installations, which cannot be restored' },
    examples: ['app-registry app delete app_01jq3v9y6ae0xv5m6b7k8c9d0e --force'],
  },
  affects: ({ params: { id } }) => ({ appId: id }),
  async run({ registry, caller, params: { id }, query: { force = false }, ...call }) {
    return registry.storage.write(async (transaction) => {
      const app = await lockApp(transaction, id);
      requireRevision(registry, app, call);
      const at = registry.now();
      if (app.installation_count > 0) {
        if (!force) throw appInstalled(app);
        await deleteInstallations(transaction, { caller, at }, app);
      }
      await deleteAppRow(transaction, { id });
      const deleted = toDeletedRow(app, at);
      await insertDeletedApp(transaction, deleted);
      await markForProjection(transaction, { subjectId: id });
      await appendEvent(transaction, { caller, at, ...appDeleted(app) });
      return deletedView(registry, deleted);
    });
  },
});

/** A page of the deleted apps that can be restored, of all developers or of one. */
export async function listDeletedApps(
  registry: Registry,
  { withTotal, view, ...given }: AppQuery,
): Promise<PageOf<AppSummary | OperatorApp> & Partial<Total>> {
  throwIfInvalid(deletedQueryErrors(given));
  const { developerId: text } = given;
  const developerId = text === undefined ? undefined : requirePlatformId(text, registry.userIdPrefix, '/developerId');
  const filter = { after: registry.now() - restorableMs, developerId };
  const sort = given.sort as Sort<'id' | 'deletedAt'> | undefined;
  const sorting = sortingOf({ ...given, sort }, { id: ['id'], deletedAt: ['deleted_at', 'id'] }, 'id');
  const page = await readPage(given, {
    name: 'deleted apps',
    byDefault: 'id',
    filters: { developerId },
    read: (request) => listDeletedAppPage(registry.storage.reader, filter, { ...request, sorting }),
    view: (row) => listedDeletedView(registry, row, view),
  });
  if (!withTotal) return page;
  const isFiltered = [developerId, sorting.from, sorting.until].some((value) => value !== undefined);
  const someIds = (limit: number) => someDeletedAppIds(filter, sorting, limit);
  return { ...page, ...(await listTotal(registry, { table: 'deleted_apps', isFiltered, ids: someIds })) };
}

/** Of a deleted app only its id, its developer and the time are columns. */
function deletedQueryErrors({ status, name, host, changedSinceApproval, ids, sort }: AppQuery): ValidationError[] {
  const code = 'not_allowed';
  const filters = Object.entries({ status, name, host, changedSinceApproval, ids });
  return [
    ...filters.flatMap(([filter, value]) =>
      value === undefined
        ? []
        : [{ pointer: `/${filter}`, code, detail: 'Deleted apps cannot be filtered by this.' } as const],
    ),
    ...(sort !== undefined && !/^-?(?:id|deletedAt)$/.test(sort)
      ? [{ pointer: '/sort', code, detail: 'Deleted apps are sorted by id or deletedAt.' } as const]
      : []),
  ];
}

/** A deleted app that can be restored. Refuses with `app_not_found`. */
export async function getDeletedApp(registry: Registry, id: string): Promise<OperatorApp> {
  const deleted = await findDeletedApp(registry.storage.reader, { id });
  if (!deleted || !isRestorable(deleted.deleted_at, registry.now())) throw appNotFound();
  return deletedView(registry, deleted);
}

/** The app is as it was, with its id and its review, but without installations. */
export const restoreApp = operation({
  id: 'restoreApp',
  method: 'POST',
  path: '/operator/v1/apps/:id/restore',
  summary: 'Restore a deleted app, without installations',
  scope: 'admin',
  ifMatch: true,
  response: OperatorApp,
  refusals: ['app_not_found', 'name_taken'],
  command: {
    name: 'app restore',
    description: 'Restore an app that was deleted in the last 30 days, without its installations.',
    arguments: { id: 'the app id' },
    notes: '"app list --deleted" lists the apps that can be restored, with the deadline for each.',
    examples: ['app-registry app restore app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    requireAppId(id);
    const work = write(registry, caller, async (transaction) => {
      const at = registry.now();
      const deleted = await findDeletedAppForUpdate(transaction, { id });
      if (!deleted || !isRestorable(deleted.deleted_at, at)) throw appNotFound();
      requireRevision(registry, appOfDeleted(deleted), call);
      const { changesToApproved, ...settings } = await settingsDuring(transaction);
      const claiming = withNameClaim(restored(appOfDeleted(deleted)), settings);
      const developer = await findDeveloperDuring(transaction, claiming.developer_id);
      const given = suspensionOfRestored(claiming, { developer, deletedAt: deleted.deleted_at });
      // The setting may have changed since the deletion: then other content is shown than before, since now.
      const changesToApprovedBefore = changesToApproved === 'hold' ? 'live' : 'hold';
      const row = nextApp(claiming, given, { at, changesToApproved, changesToApprovedBefore });
      await removeDeletedApp(transaction, { id });
      await insertApp(transaction, row);
      await markForProjection(transaction, { subjectId: id });
      await appendEvent(transaction, {
        ...{ caller, at, type: 'app.restored', appId: id, subjectId: id },
        after: appEventData(row),
        ...effectiveChange(null, { app: row, changesToApproved }),
      });
      return operatorView(registry, row, changesToApproved);
    });
    return work.catch((error) => {
      throw isClaimed(error) ? nameTaken() : error;
    });
  },
});

function appDeleted(app: AppRow): Change {
  return {
    type: 'app.deleted',
    appId: app.id,
    subjectId: app.id,
    before: appEventData(app),
    ...(app.review_status === 'APPROVED' && { effective: null }),
  };
}

/** In batches, for constant memory. */
async function deleteInstallations(
  transaction: Connection,
  context: ChangeContext,
  { id: appId }: AppRow,
): Promise<void> {
  for (;;) {
    const deleted = await deleteSomeInstallationsOfApp(transaction, { appId, limit: deletedAtOnce });
    if (deleted.length > 0) await appendEvents(transaction, { ...context, changes: deleted.map(installationDeleted) });
    if (deleted.length < deletedAtOnce) return;
  }
}

function appInstalled({ installation_count: count }: AppRow): Failure {
  const have = count === 1 ? 'One workspace has' : `${count} workspaces have`;
  return new Failure(
    'app_installed',
    `${have} installed the app. Delete its installations first, or force the deletion to delete them too.`,
  );
}

function nameTaken(): Failure {
  return new Failure(
    'name_taken',
    'Another app has taken the name of this app, or the one it was approved with. Rename or delete that app, and restore this one again.',
  );
}

/**
 * An app that was deleted while its developer was suspended stays in that suspension, or without it in the status that it
 * left. One that was deleted before is suspended with its developer.
 */
function suspensionOfRestored(
  app: AppRow,
  { developer, deletedAt }: { developer: DeveloperRow | null; deletedAt: number },
): Partial<AppRow> {
  if (!developer || developer.suspended_at === null) return { suspended_status: null };
  if (app.suspended_status !== null && deletedAt >= developer.suspended_at) return {};
  return suspendedColumns({ ...app, suspended_status: null }, developer);
}

/** The new platform revision invalidates responses from before the deletion, which show the installations. */
function restored(row: AppRow): AppRow {
  return { ...row, name_key: nameKey(row.name), ...nextPlatformRevision(row) };
}

const purgedAtOnce = 100;

const maintenance: Caller = { actor: 'maintenance', requestId: null };

/**
 * Permanently deletes apps that were deleted 30 days ago, with their decisions and notes but not their events. Returns
 * the number of apps.
 */
export async function purgeDeletedApps(registry: Registry): Promise<number> {
  const until = (await trustedTime(registry)) - restorableMs;
  for (let purged = 0; ; ) {
    const batch = await registry.storage.write((transaction) =>
      purgeSome(transaction, { caller: maintenance, at: registry.now() }, until),
    );
    purged += batch;
    if (batch < purgedAtOnce) return purged;
  }
}

/** The same within a write. Webhooks receive its events if they receive those of the caller. */
export async function purgeDeletedAppsIn(
  transaction: Connection,
  registry: Registry,
  { deliversEvents = true }: Caller,
): Promise<void> {
  const until = (await trustedTime(registry, transaction)) - restorableMs;
  const caller = { ...maintenance, deliversEvents };
  while ((await purgeSome(transaction, { caller, at: registry.now() }, until)) === purgedAtOnce);
}

async function purgeSome(transaction: Connection, context: ChangeContext, until: number): Promise<number> {
  const due = await listDeletedUntil(transaction, { time: until, limit: purgedAtOnce });
  for (const { id } of due) {
    await removeDeletedApp(transaction, { id });
    await markForProjection(transaction, { subjectId: id });
    await deleteDecisionsOfApp(transaction, { appId: id });
    await deleteNotesOfApp(transaction, { appId: id });
  }
  await appendEvents(transaction, {
    ...context,
    changes: due.map(({ id }) => ({ type: 'app.purged', appId: id, subjectId: id })),
  });
  return due.length;
}

function deletedView(base: OperatorViewBase, deleted: DeletedAppRow): OperatorApp {
  return { ...operatorView(base, appOfDeleted(deleted), 'live'), ...deletion(deleted) };
}

function listedDeletedView(
  base: OperatorViewBase,
  deleted: DeletedAppRow,
  view: ListView | undefined,
): AppSummary | OperatorApp {
  const listed = listedView(base, appOfDeleted(deleted), { changesToApproved: 'live', view });
  return { ...listed, ...deletion(deleted) };
}

function deletion({ deleted_at: deletedAt }: DeletedAppRow) {
  return {
    effective: null,
    deletedAt: dateTime(deletedAt),
    restorableUntil: dateTime(deletedAt + restorableMs),
  };
}
