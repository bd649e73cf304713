import { contentVersion } from '../../contract/app-content-fields.ts';
import type { DeletedApp } from '../../contract/operator-app.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import type { Registry } from '../registry.ts';
import { operatorView } from './app-view.ts';
import { contentOfSnapshot } from './content-snapshot.ts';

/** How long a deleted app can be restored (decision 16). */
export const restorableMs = 30 * 86_400_000;

/** Whether an app that was deleted then can be restored at this time: one that cannot is gone, purged or not. */
export function isRestorable(deletedAt: number, at: number): boolean {
  return deletedAt > at - restorableMs;
}

/** What is kept of an app that is deleted: no installation, and no claim to its name. */
export function toDeletedRow(app: AppRow, deletedAt: number): DeletedAppRow {
  const row = JSON.stringify({ version: contentVersion, ...app, installation_count: 0, name_claim: null });
  return { id: app.id, developer_id: app.developer_id, row, deleted_at: deletedAt };
}

/** The app as it was when it was deleted, without installations. Throws when no release can have stored it. */
export function appOfDeleted({ row }: DeletedAppRow): AppRow {
  const { version, ...app } = JSON.parse(row);
  // A program before schema version 4 stores no time of a submission.
  return { submitted_at: 0, ...app, ...contentOfSnapshot({ version, ...app }) };
}

export function deletedView(registry: Pick<Registry, 'logoBaseUrl'>, app: AppRow, deletedAt: number): DeletedApp {
  return {
    ...operatorView(registry, app),
    deletedAt: dateTime(deletedAt),
    restorableUntil: dateTime(deletedAt + restorableMs),
  };
}
