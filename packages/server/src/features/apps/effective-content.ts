import type { AppContent, AppRow, SettingsRow } from '../../storage/tables.ts';
import type { EventData } from '../events/event.ts';
import { changedContentColumns, contentData } from './app-content.ts';
import { appContentFields } from './app-content-fields.ts';
import { approvedContent } from './content-snapshot.ts';

/** The setting that decides what consumers get of changes to approved content (decision 24). */
export type ChangesToApproved = SettingsRow['changes_to_approved'];

/** The columns that take effect immediately when they are cleared, also in content that stays approved. */
const clearedImmediately = appContentFields.filter((field) => field.clearsImmediately).map(({ column }) => column);
type ClearedImmediately = (typeof clearedImmediately)[number];

/** The cleared columns whose approved value stays without effect, each with the revision that cleared it. */
export type Withdrawn = Partial<Record<ClearedImmediately, number>>;

/** The columns that the approved content of an app depends on. */
type Approved = Pick<AppRow, 'approved_content' | 'withdrawn'>;

export function withdrawnOf({ withdrawn }: Pick<AppRow, 'withdrawn'>): Withdrawn {
  return withdrawn === null ? {} : JSON.parse(withdrawn);
}

/** The approved content of an app without what was withdrawn since; null when it was never approved. */
export function approvedInEffect(app: Approved): AppContent | null {
  const approved = approvedContent(app);
  if (!approved || app.withdrawn === null) return approved;
  const cleared = Object.keys(withdrawnOf(app)).map((column) => [column, null]);
  return { ...approved, ...Object.fromEntries(cleared) };
}

/** The content that the platform view shows. An APPROVED app without a snapshot was approved as it is. */
export function shownContent(app: AppContent & Approved, mode: ChangesToApproved): AppContent {
  return (mode === 'hold' && approvedInEffect(app)) || app;
}

/** The content that a platform may act on; null unless the app is APPROVED. */
export function effectiveContent(app: AppRow, mode: ChangesToApproved): AppContent | null {
  return app.review_status === 'APPROVED' ? shownContent(app, mode) : null;
}

/** The content columns whose current value is not approved: it differs, or was withdrawn and is there again. */
export function undecidedColumns(app: AppRow): (keyof AppContent)[] {
  const approved = approvedContent(app);
  if (!approved) return [];
  const withdrawn = withdrawnOf(app);
  const differing = changedContentColumns(approved, app);
  return appContentFields
    .map(({ column }) => column)
    .filter((column) => differing.includes(column) || (column in withdrawn && approved[column] !== null));
}

/**
 * The withdrawn columns after a change. They are tracked even before the first approval, since an earlier revision may
 * be approved later.
 */
export function nextWithdrawn(
  before: AppRow,
  after: AppRow,
  { isRevert = false }: { isRevert?: boolean },
): string | null {
  const approved = approvedContent(after);
  if (!approved) return null;
  const withdrawn = withdrawnOf(before);
  for (const column of clearedImmediately) {
    const isCleared = before[column] !== null && after[column] === null;
    const isRestored = isRevert && after[column] !== null && after[column] === approved[column];
    const isDecided =
      after.approved_revision !== before.approved_revision &&
      (withdrawn[column] ?? 0) <= (after.approved_revision ?? 0);
    if (isCleared) withdrawn[column] = after.revision;
    if (isRestored || isDecided) delete withdrawn[column];
  }
  return Object.keys(withdrawn).length === 0 ? null : JSON.stringify(withdrawn);
}

/** How the event of a change reports the effective content: not at all if that is the same. `before` is null for a new app. */
export function effectiveChange(
  before: { app: AppRow; mode: ChangesToApproved } | null,
  after: { app: AppRow; mode: ChangesToApproved },
): Pick<EventData['app.updated'], 'effective'> {
  const from = before && effectiveContent(before.app, before.mode);
  const to = effectiveContent(after.app, after.mode);
  if (!to) return from ? { effective: null } : {};
  const changed = from ? changedContentColumns(from, to) : undefined;
  return changed?.length === 0 ? {} : { effective: contentData(to, changed) };
}
