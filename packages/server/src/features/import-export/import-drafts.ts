import type { AppRow } from '../../storage/tables.ts';
import { derivedColumns } from '../apps/next-app.ts';
import type { NumberedRecord } from './import-batch.ts';
import type { ImportWork } from './import-work.ts';

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
export function unlessSubmitted(before: AppRow, record: NumberedRecord<AppRow>): NumberedRecord<AppRow> {
  if (!record.isSubmissionOmitted || before.review_status !== 'AWAITING_REVIEW') return record;
  return { ...record, absentColumns: [...record.absentColumns, 'review_status', 'submitted_at'] };
}

/** Counts a record that awaits review in the file and is a draft here. */
export function countDraft({ summary }: ImportWork, record: NumberedRecord<AppRow>, after: AppRow): void {
  if (summary.pendingAsDraft === undefined || !record.isSubmissionOmitted) return;
  if (after.review_status === 'DRAFT') summary.pendingAsDraft += 1;
}
