import type { Registry } from '../../kernel/registry.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import type { AppContent, AppRow, SettingsRow } from '../../storage/tables.ts';
import type { EventData } from '../events/event.ts';
import { appContentFields, approvedContent, changedContentColumns, contentData, nameKey } from './app-content.ts';

/** When an app changes, and what the registry does with changes to approved content at that moment. */
interface AppChange {
  at: number;
  changesToApproved: ChangesToApproved;
  /** The same before the change, where that changes too. */
  changesToApprovedBefore?: ChangesToApproved;
  /** Whether earlier content is brought back: an address in it that is approved has effect again. */
  isRevert?: boolean;
}

/** The row of a new app: a draft at revision 1, without installations and without a claim on its name. */
export function newAppRow(
  registry: Registry,
  { id, developerId, content }: { id: string; developerId: string; content: AppContent },
): AppRow {
  const key = nameKey(content.name);
  const at = registry.now();
  return {
    ...content,
    id,
    developer_id: developerId,
    name_key: key,
    name_claim: null,
    review_status: 'DRAFT',
    rejection_reason: null,
    approved_content: null,
    approved_revision: null,
    approved_revision_nonce: null,
    approved_name_key: null,
    cleared_since_approval: null,
    change_since: 0,
    transfer_since: 0,
    waiting_since: 0,
    suspended_status: null,
    installation_count: 0,
    ...{ revision: 1, revision_nonce: newRevisionNonce(), ...nextPlatformRevision({ platform_revision: 0 }) },
    submitted_at: 0,
    created_at: at,
    updated_at: at,
    shown_at: 0,
  };
}

/**
 * The row of an app after a change of some columns, with all that follows from them: revisions, times, claims, the place in
 * the queue and what is cleared since the approval. Every change of an app's content or review passes through here.
 */
export function nextApp(before: AppRow, given: Partial<AppRow>, change: AppChange): AppRow {
  const { at, changesToApproved, changesToApprovedBefore = changesToApproved, isRevert = false } = change;
  const after: AppRow = { ...before, ...given };
  const isContentChanged = changedContentColumns(before, after).length > 0;
  const isStatusChanged = after.review_status !== before.review_status;
  if (isContentChanged && given.revision === undefined) after.revision = before.revision + 1;
  if (after.revision !== before.revision) after.revision_nonce = newRevisionNonce();
  if (after.name !== before.name) {
    after.name_key = nameKey(after.name);
    after.name_claim = before.name_claim === null ? null : after.name_key;
  }
  if (after.approved_revision === after.revision) after.approved_revision_nonce = after.revision_nonce;
  if (given.cleared_since_approval === undefined) {
    after.cleared_since_approval = nextCleared(before, after, { isRevert });
  }
  if (after.revision !== before.revision) Object.assign(after, approvedAgain(after));

  const latest = Math.max(at, before.updated_at, before.shown_at);
  if (given.updated_at === undefined && (isContentChanged || isStatusChanged)) after.updated_at = latest;
  const [shownBefore, shown] = [shownContent(before, changesToApprovedBefore), shownContent(after, changesToApproved)];
  const isShownChanged = isStatusChanged || changedContentColumns(shownBefore, shown).length > 0;
  const shownAt = isShownChanged ? Math.max(given.updated_at ?? latest, shownSince(before)) : shownSince(before);
  after.shown_at = shownAt === after.updated_at ? 0 : shownAt;
  if (isShownChanged || after.developer_id !== before.developer_id) Object.assign(after, nextPlatformRevision(before));

  if (after.approved_content !== before.approved_content) {
    const approved = approvedContent(after);
    after.approved_name_key = approved && nameKey(approved.name);
  }
  const isNewChange = isContentChanged && given.change_since === undefined;
  after.change_since = changeSince(after, isNewChange ? before.change_since || latest : after.change_since);
  if (!awaitsDecisions(after)) after.transfer_since = 0;
  after.waiting_since = waitingSince(after);
  return after;
}

/** A new revision with the approved content, all of it in effect, is approved. No earlier one awaits a decision any more. */
function approvedAgain(app: AppRow): Partial<AppRow> {
  if (app.approved_content === null || undecidedColumns(app).length > 0) return {};
  return { approved_revision: app.revision, approved_revision_nonce: app.revision_nonce, cleared_since_approval: null };
}

/** When what the platform view shows of an app's content and status last changed. */
export function shownSince({ shown_at, updated_at }: Pick<AppRow, 'shown_at' | 'updated_at'>): number {
  return shown_at === 0 ? updated_at : shown_at;
}

/** The columns that follow from the others, for a row that no change has led to. */
export function derivedColumns(app: AppRow): Partial<AppRow> {
  const approved = approvedContent(app);
  const change_since = changeSince(app, app.change_since);
  return {
    approved_name_key: approved && nameKey(approved.name),
    change_since,
    waiting_since: waitingSince({ ...app, change_since }),
  };
}

function changeSince(app: AppRow, since: number): number {
  return awaitsDecisions(app) && undecidedColumns(app).length > 0 ? since : 0;
}

/** Whether changes and transfers of the app await a decision: also while its developer is suspended. */
export function awaitsDecisions({ review_status, suspended_status }: AppRow): boolean {
  return review_status === 'APPROVED' || suspended_status === 'APPROVED';
}

/** Since when an app is in the queue; 0 when it is not. A suspended developer has nothing there. */
export function waitingSince(app: AppRow): number {
  if (app.suspended_status !== null) return 0;
  if (app.review_status === 'AWAITING_REVIEW') {
    // An import may give any time.
    return Math.max(1, app.submitted_at);
  }
  if (app.review_status !== 'APPROVED') return 0;
  const waiting = [app.change_since, app.transfer_since].filter((since) => since !== 0);
  return waiting.length === 0 ? 0 : Math.min(...waiting);
}

type PlatformRevision = Pick<AppRow, 'platform_revision' | 'platform_revision_nonce'>;

/** The revision after a change of anything else in the platform view. */
export function nextPlatformRevision({
  platform_revision: number,
}: Pick<AppRow, 'platform_revision'>): PlatformRevision {
  return { platform_revision: number + 1, platform_revision_nonce: newRevisionNonce() };
}

/** The setting that decides what consumers get of changes to approved content. */
export type ChangesToApproved = SettingsRow['changes_to_approved'];

/** The columns that take effect immediately when they are cleared, also in content that stays approved. */
const clearedImmediately = appContentFields.filter((field) => field.clearsImmediately).map(({ column }) => column);
type ClearedImmediately = (typeof clearedImmediately)[number];

/** The cleared columns whose approved value stays without effect, each with the revision that cleared it. */
type Cleared = Partial<Record<ClearedImmediately, number>>;

/** The columns that the approved content of an app depends on. */
type Approved = Pick<AppRow, 'approved_content' | 'cleared_since_approval'>;

export function clearedSinceApproval(app: Pick<AppRow, 'cleared_since_approval'>): Cleared {
  return app.cleared_since_approval === null ? {} : JSON.parse(app.cleared_since_approval);
}

/** The approved content of an app without what was cleared since; null when it was never approved. */
export function approvedInEffect(app: Approved): AppContent | null {
  const approved = approvedContent(app);
  if (!approved || app.cleared_since_approval === null) return approved;
  const absent = Object.keys(clearedSinceApproval(app)).map((column) => [column, null]);
  return { ...approved, ...Object.fromEntries(absent) };
}

/** The content that the platform view shows. An APPROVED app without a snapshot was approved as it is. */
export function shownContent(app: AppContent & Approved, changesToApproved: ChangesToApproved): AppContent {
  return (changesToApproved === 'hold' && approvedInEffect(app)) || app;
}

/** The content that a platform may act on; null unless the app is APPROVED. */
export function effectiveContent(app: AppRow, changesToApproved: ChangesToApproved): AppContent | null {
  return app.review_status === 'APPROVED' ? shownContent(app, changesToApproved) : null;
}

/** The content columns whose current value is not approved: it differs, or was cleared and is there again. */
export function undecidedColumns(app: AppRow): (keyof AppContent)[] {
  const approved = approvedContent(app);
  if (!approved) return [];
  const cleared = clearedSinceApproval(app);
  const differing = changedContentColumns(approved, app);
  return appContentFields
    .map(({ column }) => column)
    .filter((column) => differing.includes(column) || (column in cleared && approved[column] !== null));
}

/**
 * The cleared columns after a change. They are tracked even before the first approval, since an earlier revision may
 * be approved later.
 */
export function nextCleared(
  before: AppRow,
  after: AppRow,
  { isRevert = false }: { isRevert?: boolean },
): string | null {
  const approved = approvedContent(after);
  if (!approved) return null;
  const cleared = clearedSinceApproval(before);
  for (const column of clearedImmediately) {
    const isCleared = before[column] !== null && after[column] === null;
    const isRestored = isRevert && after[column] !== null && after[column] === approved[column];
    const isDecided =
      after.approved_revision !== before.approved_revision && (cleared[column] ?? 0) <= (after.approved_revision ?? 0);
    if (isCleared) cleared[column] = after.revision;
    if (isRestored || isDecided) delete cleared[column];
  }
  return Object.keys(cleared).length === 0 ? null : JSON.stringify(cleared);
}

/** How the event of a change reports the effective content: not at all if that is the same. `before` is null for a new app. */
export function effectiveChange(
  before: { app: AppRow; changesToApproved: ChangesToApproved } | null,
  after: { app: AppRow; changesToApproved: ChangesToApproved },
): Pick<EventData['app.updated'], 'effective'> {
  const from = before && effectiveContent(before.app, before.changesToApproved);
  const to = effectiveContent(after.app, after.changesToApproved);
  if (!to) return from ? { effective: null } : {};
  const changed = from ? changedContentColumns(from, to) : undefined;
  return changed?.length === 0 ? {} : { effective: contentData(to, changed) };
}
