import { appNotFound, Failure, requireAppId } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { AppRow, DeveloperRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import { mark } from '../search/projections.ts';
import { settingsDuring } from '../settings/settings.ts';
import { findDeveloperDuring, suspendedColumns } from '../suspension/suspended-developer.ts';
import { appEventData } from './app-event-data.ts';
import { insertApp } from './app-queries.ts';
import { operatorView } from './app-view.ts';
import { isClaimed } from './change-app-content.ts';
import { appOfDeleted, isRestorable } from './deleted-app.ts';
import { findDeletedAppForUpdate, removeDeletedApp } from './deleted-app-queries.ts';
import { effectiveChange } from './effective-content.ts';
import { nameKey } from './name-key.ts';
import { nextApp } from './next-app.ts';
import { nextPlatformRevision } from './next-revision.ts';
import type { OperatorApp } from './operator-app.ts';
import { withNameClaim } from './unique-names.ts';

/**
 * Restores an app deleted in the last 30 days as it was, with its id and its review, but without installations.
 * Refuses with `app_not_found`, or with `name_taken` when another app has taken its name since.
 */
export async function restoreApp(registry: Registry, caller: Caller, appId: string): Promise<OperatorApp> {
  requireAppId(appId);
  try {
    return await writeIdempotently<OperatorApp>(registry, caller, {
      content: ['restoreApp', appId],
      work: async (transaction) => {
        const at = registry.now();
        const deleted = await findDeletedAppForUpdate(transaction, { id: appId });
        if (!deleted || !isRestorable(deleted.deleted_at, at)) throw appNotFound();
        const { changesToApproved: mode, ...settings } = await settingsDuring(transaction);
        const claiming = withNameClaim(restored(appOfDeleted(deleted)), settings);
        const developer = await findDeveloperDuring(transaction, claiming.developer_id);
        const given = suspensionOfRestored(claiming, { developer, deletedAt: deleted.deleted_at });
        // The setting may have changed since the deletion: then other content is shown than before, since now.
        const row = nextApp(claiming, given, { at, mode, modeBefore: mode === 'hold' ? 'live' : 'hold' });
        await removeDeletedApp(transaction, { id: appId });
        await insertApp(transaction, row);
        await mark(transaction, appId);
        await appendEvent(transaction, {
          ...{ caller, at, type: 'app.restored', appId, subjectId: appId },
          after: appEventData(row),
          ...effectiveChange(null, { app: row, mode }),
        });
        return operatorView(registry, row, mode);
      },
    });
  } catch (error) {
    throw isClaimed(error) ? nameTaken() : error;
  }
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
