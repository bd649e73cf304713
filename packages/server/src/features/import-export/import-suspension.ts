import type { AppRow } from '../../storage/tables.ts';
import { derivedColumns } from '../apps/next-app.ts';
import { listSuspendedDevelopers } from '../developers/developer-queries.ts';
import type { NumberedRecord } from './import-batch.ts';
import type { ImportError } from './import-record-schema.ts';
import type { ImportWork, LineError } from './import-work.ts';

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
