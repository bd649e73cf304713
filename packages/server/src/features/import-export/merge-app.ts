import type { Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import type { AppRow } from '../../storage/tables.ts';
import { changedContentColumns, contentIn } from '../apps/app-content.ts';
import { appUpdated } from '../apps/app-event-data.ts';
import { approvedContent, readableApprovedContent } from '../apps/content-snapshot.ts';
import { type ChangesToApproved, undecidedColumns } from '../apps/effective-content.ts';
import { awaitsDecisions, nextApp, nextPlatformRevision } from '../apps/next-app.ts';
import { storeApp } from '../apps/store-app.ts';
import type { NumberedRecord } from './import-batch.ts';
import { unlessSubmitted } from './import-drafts.ts';
import { differingColumns, type ImportWork } from './import-work.ts';

/**
 * An existing app updated from a record; the same row when nothing changes. A record has all of the content. Revisions
 * and `updatedAt` never decrease, so that no old ETag becomes valid again.
 */
export function mergeApp(
  { registry, mode }: { registry: Registry; mode: ChangesToApproved },
  before: AppRow,
  record: NumberedRecord<AppRow>,
): AppRow {
  const { row, absentColumns } = unlessSubmitted(before, record);
  const changed = changedContentColumns(before, row);
  const revision = Math.max(changed.length === 0 ? before.revision : before.revision + 1, row.revision);
  const after: AppRow = { ...before, ...contentIn(row), revision, created_at: row.created_at };
  const explicit: Partial<AppRow> = {};
  if (!absentColumns.includes('review_status')) {
    Object.assign(after, reviewOf(before, after, row));
    for (const column of ['withdrawn', 'change_since', 'transfer_since'] as const) {
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
  const merged = nextApp(before, { ...given, updated_at: updatedAt }, { at: updatedAt, mode });
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

function reviewOf(before: AppRow, after: AppRow, row: AppRow): Partial<AppRow> {
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
    approved_revision_stamp: newStamp(),
  };
}

/** Stores an updated app with its event. */
export async function storeAppChange(
  { registry, caller, transaction, mode }: ImportWork,
  before: AppRow,
  after: AppRow,
): Promise<void> {
  const data = appUpdated(before, after);
  const change = { type: 'app.updated', appId: after.id, subjectId: after.id, ...data } as const;
  await storeApp(transaction, { caller, at: registry.now() }, { before, after, mode, change });
}
