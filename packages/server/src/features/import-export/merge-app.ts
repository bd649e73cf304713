import type { Registry } from '../../kernel/registry.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import type { AppRow } from '../../storage/tables.ts';
import { approvedContent, changedContentColumns, contentIn, readableApprovedContent } from '../apps/app-content.ts';
import { appUpdated, storeApp } from '../apps/change-app.ts';
import {
  awaitsDecisions,
  type ChangesToApproved,
  derivedColumns,
  nextApp,
  nextPlatformRevision,
  undecidedColumns,
} from '../apps/next-app.ts';
import { listSuspendedDevelopers } from '../developers/developer-queries.ts';
import type { NumberedRecord } from './import-batch.ts';
import type { ImportError } from './import-record-schema.ts';
import { differingColumns, type ImportWork, type LineError } from './import-work.ts';

/**
 * An existing app updated from a record; the same row when nothing changes. A record has all of the content. Revisions
 * and `updatedAt` never decrease, so that no old ETag becomes valid again.
 */
export function mergeApp(
  { registry, changesToApproved }: { registry: Registry; changesToApproved: ChangesToApproved },
  before: AppRow,
  record: NumberedRecord<AppRow>,
): AppRow {
  const { row, absentColumns } = unlessSubmitted(before, record);
  const changed = changedContentColumns(before, row);
  const revision = Math.max(changed.length === 0 ? before.revision : before.revision + 1, row.revision);
  const after: AppRow = { ...before, ...contentIn(row), revision, created_at: row.created_at };
  const explicit: Partial<AppRow> = {};
  if (!absentColumns.includes('review_status')) {
    Object.assign(after, mergedReview(before, after, row));
    for (const column of ['cleared_since_approval', 'change_since', 'transfer_since'] as const) {
      if (!absentColumns.includes(column)) Object.assign(explicit, { [column]: row[column] });
    }
  }
  const isChanged = changed.length > 0 || after.review_status !== before.review_status;
  const at = absentColumns.includes('updated_at') ? (isChanged ? registry.now() : 0) : row.updated_at;
  after.updated_at = Math.max(before.updated_at, after.created_at, at);
  if (!absentColumns.includes('submitted_at')) after.submitted_at = row.submitted_at;
  else if (isSubmitted(before, after)) after.submitted_at = after.updated_at;

  if (explicit.change_since === undefined && isNewChange(before, after)) explicit.change_since = after.updated_at;
  Object.assign(after, explicit);
  const differing = differingColumns(before, after);
  if (differing.length === 0) return before;
  const given = { ...Object.fromEntries(differing.map((column) => [column, after[column]])), ...explicit };
  const { updated_at: updatedAt } = after;
  const merged = nextApp(before, { ...given, updated_at: updatedAt }, { at: updatedAt, changesToApproved });
  // The time of creation is in the view too.
  return { ...merged, ...nextPlatformRevision(before) };
}

/** Whether other content is approved than the current one, and was not before. */
function isNewChange(before: AppRow, after: AppRow): boolean {
  return awaitsDecisions(after) && undecidedColumns(after).length > 0 && undecidedColumns(before).length === 0;
}

function isSubmitted(before: AppRow, after: AppRow): boolean {
  return before.review_status !== 'AWAITING_REVIEW' && after.review_status === 'AWAITING_REVIEW';
}

function mergedReview(before: AppRow, after: AppRow, row: AppRow): Partial<AppRow> {
  const { review_status, rejection_reason, suspended_status } = row;
  const review = { review_status, rejection_reason, suspended_status };
  const approved = approvedContent(row);
  // A damaged snapshot is replaced, so that an import can repair it.
  const approvedBefore = readableApprovedContent(before);
  // An approval is never removed.
  if (!approved) return review;
  if (approvedBefore && changedContentColumns(approvedBefore, approved).length === 0) {
    const isOfNewest = row.approved_revision === row.revision;
    return isOfNewest ? { ...review, approved_revision: after.revision } : review;
  }
  const isCurrent = changedContentColumns(approved, after).length === 0;
  return {
    ...review,
    approved_content: row.approved_content,
    // Content that differs from the current one had an earlier revision, in the file and hence here.
    approved_revision: isCurrent ? after.revision : row.approved_revision,
    approved_revision_nonce: newRevisionNonce(),
  };
}

/** Stores an updated app with its event. */
export async function storeAppChange(
  { registry, caller, transaction, changesToApproved }: ImportWork,
  before: AppRow,
  after: AppRow,
): Promise<void> {
  const data = appUpdated(before, after);
  const change = { type: 'app.updated', appId: after.id, subjectId: after.id, ...data } as const;
  await storeApp(transaction, { caller, at: registry.now() }, { before, after, changesToApproved, change });
}

/**
 * Imports the apps of suspended developers as suspended (decision 28a), so that no file, not even an earlier one,
 * circumvents a suspension. An app of any other developer must not be marked as suspended.
 */
export async function underSuspension<Item extends NumberedRecord<AppRow>>(
  { transaction }: ImportWork,
  records: Item[],
): Promise<{ records: Item[]; errors: ImportError[] }> {
  const ids = [...new Set(records.map(({ row }) => row.developer_id))];
  const developers = ids.length === 0 ? [] : await listSuspendedDevelopers(transaction, ids);
  const reasons = new Map(developers.map((developer) => [developer.user_id, developer.suspension_reason]));
  const isValid = ({ row }: Item) => row.suspended_status === null || reasons.has(row.developer_id);
  return {
    records: records.filter(isValid).map((record) => {
      const reason = reasons.get(record.row.developer_id);
      return reason === undefined ? record : { ...record, row: suspended(record.row, reason) };
    }),
    errors: records.filter((record) => !isValid(record)).map(({ line }) => ({ line, ...notSuspended })),
  };
}

/** As the suspension of its developer would leave it. */
function suspended(row: AppRow, reason: string | null): AppRow {
  if (row.suspended_status !== null) return row;
  const { review_status: status } = row;
  const marked: AppRow = { ...row, suspended_status: status };
  if (status === 'APPROVED') Object.assign(marked, { review_status: 'REJECTED', rejection_reason: reason });
  return { ...marked, ...derivedColumns(marked) };
}

const notSuspended: LineError = {
  pointer: '/suspendedStatus',
  code: 'not_allowed',
  detail:
    'The developer of the app is not suspended, in the registry or on an earlier line. Omit the field, and put the current status in reviewStatus.',
};

/** With `pendingAs`, no record submits its app: those that await review in the file are drafts. */
export function withoutSubmissions<Item extends NumberedRecord<AppRow>>(
  { pendingAs }: ImportWork,
  records: Item[],
): Item[] {
  if (pendingAs === undefined) return records;
  return records.map((record) => {
    if (record.row.review_status !== 'AWAITING_REVIEW') return record;
    const { row } = record;
    const suspendedStatus = row.suspended_status === null ? null : pendingAs;
    const draft: AppRow = { ...row, review_status: pendingAs, suspended_status: suspendedStatus, submitted_at: 0 };
    return { ...record, row: { ...draft, ...derivedColumns(draft) }, isSubmissionOmitted: true };
  });
}

/** An app that awaits review here stays in the queue: its submission is older than the import. */
function unlessSubmitted(before: AppRow, record: NumberedRecord<AppRow>): NumberedRecord<AppRow> {
  if (!record.isSubmissionOmitted || before.review_status !== 'AWAITING_REVIEW') return record;
  return { ...record, absentColumns: [...record.absentColumns, 'review_status', 'submitted_at'] };
}

/** Counts a record that awaits review in the file and is a draft here. */
export function countDraft({ summary }: ImportWork, record: NumberedRecord<AppRow>, after: AppRow): void {
  if (summary.pendingAsDraft === undefined || !record.isSubmissionOmitted) return;
  if (after.review_status === 'DRAFT') summary.pendingAsDraft += 1;
}
