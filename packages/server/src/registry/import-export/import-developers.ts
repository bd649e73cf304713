import { erasedEmail } from '../../contract/developer.ts';
import type { ImportError } from '../../contract/import-record.ts';
import { updatePlatformRevisions } from '../../storage/queries/apps.ts';
import { listDeveloperIds, listDevelopersForUpdate, replaceDeveloper } from '../../storage/queries/developers.ts';
import type { DeveloperRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Placed } from './import-batch.ts';
import { changedColumns, type ImportWork, insertPlaced, kept, type LineError, type Reference } from './import-work.ts';

/** Stores developers. Those that exist already become what their lines tell. */
export async function storeDevelopers(work: ImportWork, placed: Placed<DeveloperRow>[]): Promise<ImportError[]> {
  const { stored, refused } = await insertPlaced(work, placed, {
    table: 'developers',
    toChange: ({ row: { user_id: userId } }) => ({ type: 'developer.created', subjectId: userId, after: { userId } }),
  });
  work.summary.developers.created += stored.length;
  return refused.length > 0 ? updateDevelopers(work, refused) : [];
}

/** What a logo or an app refers to. */
export function developerReference<Row extends { developer_id: string }>(): Reference<Row> {
  return {
    idOf: (row) => row.developer_id,
    list: listDeveloperIds,
    fault: {
      pointer: '/developerId',
      code: 'not_found',
      detail: 'No developer has this user id, neither here nor on an earlier line.',
    },
  };
}

async function updateDevelopers(work: ImportWork, placed: Placed<DeveloperRow>[]): Promise<ImportError[]> {
  const stored = await listDevelopersForUpdate(
    work.transaction,
    placed.map(({ row }) => row.user_id),
  );
  const storedById = new Map(stored.map((row) => [row.user_id, row]));
  const faults: ImportError[] = [];
  for (const line of placed) {
    const before = storedById.get(line.row.user_id) as DeveloperRow;
    if (bringsPersonBack(before, line.row)) faults.push({ line: line.line, ...erased });
    else await updateDeveloper(work, { before, line });
  }
  return faults;
}

/** An export from before an erasure still knows the person (decision 36). */
function bringsPersonBack(before: DeveloperRow, row: DeveloperRow): boolean {
  const isErased = before.email === erasedEmail;
  return isErased && (row.email !== erasedEmail || row.first_name !== null || row.last_name !== null);
}

const erased: LineError = {
  pointer: '/userId',
  code: 'not_allowed',
  detail: `This developer was erased here. Leave the line out, or make "email" ${erasedEmail} and leave the names out. If the person is to come back, give the developer an email address with "developer update" first.`,
};

async function updateDeveloper(
  { registry, caller, transaction, summary }: ImportWork,
  { before, line }: { before: DeveloperRow; line: Placed<DeveloperRow> },
): Promise<void> {
  const told = kept(before, line);
  const isNews = changedColumns({ ...before, updated_at: 0 }, { ...told, updated_at: 0 }).length > 0;
  const now = isNews && line.unsaid.includes('updated_at') ? registry.now() : told.updated_at;
  // Never backwards (decision 13).
  const after = { ...told, updated_at: Math.max(before.updated_at, told.created_at, now) };
  const changed = changedColumns(before, after);
  if (changed.length === 0) {
    summary.developers.unchanged += 1;
    return;
  }
  summary.developers.updated += 1;
  await replaceDeveloper(transaction, after);
  await updatePlatformRevisions(transaction, { developerId: before.user_id });
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'developer.updated',
    subjectId: before.user_id,
    changed: changed.map((column) => memberNames[column]),
  });
}

/** The event names what changed, and no person (decision 34). */
const memberNames: Record<keyof DeveloperRow, string> = {
  user_id: 'userId',
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
};
