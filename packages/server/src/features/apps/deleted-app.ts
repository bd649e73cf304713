import { dateTime } from '../../kernel/time.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { contentOfSnapshot } from './app-content.ts';
import type { DeletedApp } from './app-schemas.ts';
import { type OperatorViewBase, operatorView } from './app-view.ts';

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

/** The app as it was when it was deleted, without installations. Throws when its content cannot have been stored. */
export function appOfDeleted({ row: text }: DeletedAppRow): AppRow {
  const app = JSON.parse(text);
  return { ...app, ...contentOfSnapshot(app) };
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
