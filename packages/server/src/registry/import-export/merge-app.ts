import { replaceApp } from '../../storage/queries/apps.ts';
import type { AppRow } from '../../storage/tables.ts';
import { changedContentColumns, contentIn } from '../apps/app-content.ts';
import { appUpdated } from '../apps/app-event-data.ts';
import { approvedContent } from '../apps/content-snapshot.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Registry } from '../registry.ts';
import type { Placed } from './import-batch.ts';
import type { ImportWork } from './import-work.ts';

/**
 * What a line of an import makes of an app that exists; the same row when it changes nothing. The line
 * tells the whole content. Revisions and `updatedAt` never go backwards, so that no old ETag holds again.
 */
export function mergeApp(registry: Registry, before: AppRow, { row, unsaid }: Placed<AppRow>): AppRow {
  const changed = changedContentColumns(before, row);
  const names = row.name === before.name ? {} : { name_key: row.name_key, name_claim: row.name_claim };
  const revision = Math.max(changed.length === 0 ? before.revision : before.revision + 1, row.revision);
  const after: AppRow = { ...before, ...contentIn(row), ...names, revision, created_at: row.created_at };
  if (!unsaid.includes('review_status')) Object.assign(after, reviewOf(before, after, row));
  const isNews = changed.length > 0 || after.review_status !== before.review_status;
  const at = unsaid.includes('updated_at') ? (isNews ? registry.now() : 0) : row.updated_at;
  after.updated_at = Math.max(before.updated_at, after.created_at, at);
  if (!unsaid.includes('submitted_at')) after.submitted_at = row.submitted_at;
  else if (isSubmitted(before, after)) after.submitted_at = after.updated_at;

  const isSame = (Object.keys(after) as (keyof AppRow)[]).every((column) => after[column] === before[column]);
  return isSame ? before : { ...after, platform_revision: before.platform_revision + 1 };
}

function isSubmitted(before: AppRow, after: AppRow): boolean {
  return before.review_status !== 'AWAITING_REVIEW' && after.review_status === 'AWAITING_REVIEW';
}

function reviewOf(before: AppRow, after: AppRow, row: AppRow): Partial<AppRow> {
  const review = { review_status: row.review_status, rejection_reason: row.rejection_reason };
  const approved = approvedContent(row);
  const approvedBefore = approvedContent(before);
  // What was approved once is not forgotten.
  if (!approved || (approvedBefore && changedContentColumns(approvedBefore, approved).length === 0)) return review;
  const isCurrent = changedContentColumns(approved, after).length === 0;
  return {
    ...review,
    approved_content: row.approved_content,
    // Another content than the current one had a revision before it, in the file and hence here.
    approved_revision: isCurrent ? after.revision : row.approved_revision,
  };
}

/** Stores what a line has made of an app, with its event. */
export async function storeAppChange(
  { registry, caller, transaction }: ImportWork,
  before: AppRow,
  after: AppRow,
): Promise<void> {
  await replaceApp(transaction, after);
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'app.updated',
    appId: after.id,
    subjectId: after.id,
    ...appUpdated(before, after),
  });
}
