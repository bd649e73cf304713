import { dateTime } from '../../kernel/date-time.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import { causeColumns, causeData, causesOf, type DisablingCause } from '../installations/installation.ts';
import { replaceInstallation } from '../installations/installation-queries.ts';
import type { NumberedInstallation } from './import-batch.ts';
import { differingColumns, type ImportWork, withStoredColumns } from './import-work.ts';

/** An existing installation updated from a record; the same object when nothing changes. */
export function mergeInstallation(before: InstallationRow, record: NumberedInstallation): InstallationRow {
  const causes = record.absentColumns.includes('enabled') ? causesOf(before) : record.causes;
  const isSameState = causes.join() === causesOf(before).join();
  const { enabled, disabled_by } = isSameState ? before : causeColumns(causes);
  const row = { ...withStoredColumns(before, record), enabled, disabled_by };
  return differingColumns(before, row).length === 0 ? before : row;
}

/** Stores an updated installation with its event. */
export async function storeInstallationChange(
  { transaction, caller, registry }: ImportWork,
  before: InstallationRow,
  row: InstallationRow,
): Promise<void> {
  await replaceInstallation(transaction, row);
  await appendEvent(transaction, { caller, at: registry.now(), ...toChange(before, row) });
}

function toChange(before: InstallationRow, after: InstallationRow): Change {
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
