import type { AppRow } from '../../storage/tables.ts';
import { changedContentColumns, contentIn } from '../apps/app-content.ts';
import { appUpdated } from '../apps/app-event-data.ts';
import { approvedContent, readableApprovedContent } from '../apps/content-snapshot.ts';
import type { ChangesToApproved } from '../apps/effective-content.ts';
import { nextApp } from '../apps/next-app.ts';
import { nextPlatformRevision } from '../apps/next-revision.ts';
import { storeApp } from '../apps/store-app.ts';
import type { Registry } from '../registry.ts';
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
  if (!absentColumns.includes('review_status')) Object.assign(after, reviewOf(before, after, row));
  const isChanged = changed.length > 0 || after.review_status !== before.review_status;
  const at = absentColumns.includes('updated_at') ? (isChanged ? registry.now() : 0) : row.updated_at;
  after.updated_at = Math.max(before.updated_at, after.created_at, at);
  if (!absentColumns.includes('submitted_at')) after.submitted_at = row.submitted_at;
  else if (isSubmitted(before, after)) after.submitted_at = after.updated_at;

  const differing = differingColumns(before, after);
  if (differing.length === 0) return before;
  const given = Object.fromEntries(differing.map((column) => [column, after[column]]));
  const { updated_at: updatedAt } = after;
  const merged = nextApp(before, { ...given, updated_at: updatedAt }, { at: updatedAt, mode });
  // The time of creation is in the view too.
  return { ...merged, ...nextPlatformRevision(before) };
}

function isSubmitted(before: AppRow, after: AppRow): boolean {
  return before.review_status !== 'AWAITING_REVIEW' && after.review_status === 'AWAITING_REVIEW';
}

function reviewOf(before: AppRow, after: AppRow, row: AppRow): Partial<AppRow> {
  const review = { review_status: row.review_status, rejection_reason: row.rejection_reason };
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
    approved_revision_stamp: null,
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
