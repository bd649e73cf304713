import type { DeletedApp } from '../../contract/operator-app.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import { type OperatorViewBase, operatorView } from './app-view.ts';
import { contentOfSnapshot } from './content-snapshot.ts';
import { derivedColumns } from './next-app.ts';

/** How long a deleted app can be restored (decision 16). */
export const restorableMs = 30 * 86_400_000;

/** Whether an app deleted at one time can be restored at another. If not, it counts as purged even before it is. */
export function isRestorable(deletedAt: number, at: number): boolean {
  return deletedAt > at - restorableMs;
}

/** The stored row of a deleted app, without installations and without a claim to its name. */
export function toDeletedRow(app: AppRow, deletedAt: number): DeletedAppRow {
  const row = JSON.stringify({ ...app, installation_count: 0, name_claim: null });
  return { id: app.id, developer_id: app.developer_id, row, deleted_at: deletedAt };
}

/**
 * Defaults for columns that are missing in rows of earlier releases: submission times (before schema version 4), stamps
 * (before 7) and the review of changes (before 8).
 */
export const columnsOfLaterReleases = {
  submitted_at: 0,
  revision_stamp: null,
  platform_revision_stamp: null,
  approved_revision_stamp: null,
  approved_name_key: null,
  withdrawn: null,
  change_since: 0,
  transfer_since: 0,
  waiting_since: 0,
  suspended_status: null,
  shown_at: 0,
  derived_from: null,
};

/** The app as it was when it was deleted, without installations. Throws when no release could have stored it. */
export function appOfDeleted({ row: text }: DeletedAppRow): AppRow {
  const app = JSON.parse(text);
  const row = { ...columnsOfLaterReleases, ...app, ...contentOfSnapshot(app) };
  return { ...row, ...derivedColumns(row) };
}

export function deletedView(base: OperatorViewBase, app: AppRow, deletedAt: number): DeletedApp {
  // Nothing of a deleted app is effective.
  const { effective: _, ...view } = operatorView(base, app, 'live');
  return {
    ...view,
    deletedAt: dateTime(deletedAt),
    restorableUntil: dateTime(deletedAt + restorableMs),
  };
}
