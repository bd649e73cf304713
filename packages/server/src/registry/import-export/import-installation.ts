import type { DisablingCause } from '../../contract/installation.ts';
import { replaceInstallation } from '../../storage/queries/installations.ts';
import { deleteRevokedInstallation } from '../../storage/queries/revoked-installations.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import { causeColumns, causeData, causesOf, type MarkedInstallationRow } from '../installations/causes.ts';
import type { NumberedInstallation } from './import-batch.ts';
import { differingColumns, type ImportWork, withStoredColumns } from './import-work.ts';

/** An existing installation updated from a record; the same object when nothing changes. */
export function mergeInstallation(before: MarkedInstallationRow, record: NumberedInstallation): MarkedInstallationRow {
  const { mark, ...stored } = before;
  const causes = record.absentColumns.includes('enabled') ? causesOf(before) : record.causes;
  const isSameState = causes.join() === causesOf(before).join();
  const { enabled, disabled_by } = isSameState ? stored : causeColumns(causes);
  const row = { ...withStoredColumns(stored, record), enabled, disabled_by };
  if (isSameState && differingColumns(stored, row).length === 0) return before;
  return { ...row, mark: markOf(row, causes) };
}

/** Stores an updated installation with its event. */
export async function storeInstallationChange(
  work: ImportWork,
  before: MarkedInstallationRow,
  { mark, ...row }: MarkedInstallationRow,
): Promise<void> {
  const { transaction, caller, registry } = work;
  await replaceInstallation(transaction, row);
  if (before.mark !== null && mark === null) await deleteRevokedInstallation(transaction, { id: row.id });
  if (before.mark === null && mark !== null) await storeMarks(work, [row]);
  await appendEvent(transaction, { caller, at: registry.now(), ...toChange(before, { ...row, mark }) });
}

/** Lets the next approval of their app enable these installations. */
export async function storeMarks({ transaction }: ImportWork, rows: InstallationRow[]): Promise<void> {
  if (rows.length === 0) return;
  const marks = rows.map(({ id, app_id }) => ({ id, app_id }));
  await transaction.insertNew('revoked_installations', marks);
}

function markOf({ id }: InstallationRow, causes: DisablingCause[]): string | null {
  return causes.includes('revocation') ? id : null;
}

function toChange(before: MarkedInstallationRow, after: MarkedInstallationRow): Change {
  const about = { appId: after.app_id, subjectId: after.id };
  const [from, to] = [causesOf(before), causesOf(after)];
  const isOwnerChanged = after.user_id !== before.user_id;
  const isTimeChanged = after.created_at !== before.created_at;
  if (!isOwnerChanged && !isTimeChanged) {
    const type = after.enabled === 1 ? 'installation.enabled' : 'installation.disabled';
    return { type, ...about, before: causeData(from), after: causeData(to) };
  }
  const dataOf = (row: InstallationRow, causes: DisablingCause[]) => ({
    ...(isOwnerChanged && { userId: row.user_id }),
    ...(isTimeChanged && { createdAt: dateTime(row.created_at) }),
    ...(from.join() !== to.join() && causeData(causes)),
  });
  return { type: 'installation.updated', ...about, before: dataOf(before, from), after: dataOf(after, to) };
}
