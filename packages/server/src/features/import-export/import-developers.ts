import type { DeveloperRow } from '../../storage/tables.ts';
import { projectNew } from '../apps/comparison/projections.ts';
import { storeDeveloper } from '../developers/change-developer.ts';
import { erasedEmail } from '../developers/developer.ts';
import { listDeveloperIds, listDevelopersForUpdate } from '../developers/developer-queries.ts';
import { appendEvent } from '../events/append-event.ts';
import type { ImportedRow } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import {
  differingColumns,
  type ImportWork,
  insertRecords,
  type LineError,
  type Reference,
  withStoredColumns,
} from './import-work.ts';

/** Stores developers. Existing ones are updated from their records. */
export async function storeDevelopers(work: ImportWork, records: ImportedRow<DeveloperRow>[]): Promise<ImportError[]> {
  const { stored, refused } = await insertRecords(work, records, {
    table: 'developers',
    toChanges: ({ row: { user_id: userId } }) => [{ type: 'developer.created', subjectId: userId, after: { userId } }],
  });
  await projectNew(work.transaction, work.registry.storage.engine, { developers: stored.map(({ row }) => row) });
  work.summary.developers.created += stored.length;
  return refused.length > 0 ? updateDevelopers(work, refused) : [];
}

/** The reference of a logo or an app to its developer. */
export function developerReference<Row extends { developer_id: string }>(): Reference<Row> {
  return {
    idOf: (row) => row.developer_id,
    list: listDeveloperIds,
    error: {
      pointer: '/developerId',
      code: 'not_found',
      detail: 'No developer in the registry or on an earlier line has this user id.',
    },
  };
}

async function updateDevelopers(work: ImportWork, records: ImportedRow<DeveloperRow>[]): Promise<ImportError[]> {
  const stored = await listDevelopersForUpdate(
    work.transaction,
    records.map(({ row }) => row.user_id),
  );
  const storedById = new Map(stored.map((row) => [row.user_id, row]));
  const errors: ImportError[] = [];
  for (const record of records) {
    const before = storedById.get(record.row.user_id);
    if (!before) throw new Error(`developer ${record.row.user_id} disappeared during the import`);
    if (restoresPersonalData(before, record.row)) errors.push({ line: record.line, ...erased });
    else if (suspends(before, record.row)) errors.push({ line: record.line, ...notSuspended });
    else await updateDeveloper(work, { before, record });
  }
  return errors;
}

/** An export from before an erasure still contains the personal data. */
function restoresPersonalData(before: DeveloperRow, row: DeveloperRow): boolean {
  const isErased = before.email === erasedEmail;
  return isErased && (row.email !== erasedEmail || row.first_name !== null || row.last_name !== null);
}

/** A suspension is more than the columns of its developer, so a line does not make it. */
function suspends(before: DeveloperRow, row: DeveloperRow): boolean {
  return before.suspended_at === null && row.suspended_at !== null;
}

const notSuspended: LineError = {
  pointer: '/suspension',
  code: 'not_allowed',
  detail:
    'The registry has this developer, who is not suspended. Suspend the developer first (developer suspend), or omit the field.',
};

const erased: LineError = {
  pointer: '/userId',
  code: 'not_allowed',
  detail: `This developer was erased from the registry. Omit the line, or set "email" to ${erasedEmail} and omit the names. To restore the person, first give the developer an email address with "developer update".`,
};

async function updateDeveloper(
  { registry, caller, transaction, summary }: ImportWork,
  { before, record }: { before: DeveloperRow; record: ImportedRow<DeveloperRow> },
): Promise<void> {
  // A line neither changes nor ends a suspension.
  const { suspended_at, suspension_reason, revision_nonce } = before;
  const merged = { ...withStoredColumns(before, record), suspended_at, suspension_reason, revision_nonce };
  const isChanged = differingColumns({ ...before, updated_at: 0 }, { ...merged, updated_at: 0 }).length > 0;
  const now = isChanged && record.absentColumns.includes('updated_at') ? registry.now() : merged.updated_at;
  // Never backwards.
  const after = { ...merged, updated_at: Math.max(before.updated_at, merged.created_at, now) };
  const changed = differingColumns(before, after);
  if (changed.length === 0) {
    summary.developers.unchanged += 1;
    return;
  }
  summary.developers.updated += 1;
  await storeDeveloper(transaction, after);
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'developer.updated',
    subjectId: before.user_id,
    changed: changed.map((column) => fieldNames[column]),
  });
}

/** The event lists the changed fields, without personal data. */
const fieldNames: Record<keyof DeveloperRow, string> = {
  user_id: 'userId',
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  suspended_at: 'suspendedAt',
  suspension_reason: 'suspensionReason',
  revision_nonce: 'revisionNonce',
};
