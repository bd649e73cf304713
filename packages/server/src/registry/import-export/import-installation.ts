import { replaceInstallation } from '../../storage/queries/installations.ts';
import { deleteRevokedInstallation } from '../../storage/queries/revoked-installations.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import type { NumberedInstallation } from './import-batch.ts';
import { differingColumns, type ImportWork, withStoredColumns } from './import-work.ts';

/** An installation, and whether it is disabled until its app is approved again. */
export interface MarkedInstallation {
  row: InstallationRow;
  untilApproved: boolean;
}

/** An existing installation updated from a record; the same object when nothing changes. */
export function mergeInstallation(before: MarkedInstallation, record: NumberedInstallation): MarkedInstallation {
  const row = withStoredColumns(before.row, record);
  const untilApproved = record.absentColumns.includes('enabled') ? before.untilApproved : record.untilApproved;
  const isSame = differingColumns(before.row, row).length === 0 && untilApproved === before.untilApproved;
  return isSame ? before : { row, untilApproved };
}

/** Stores an updated installation with its event. */
export async function storeInstallationChange(
  work: ImportWork,
  before: MarkedInstallation,
  after: MarkedInstallation,
): Promise<void> {
  const { transaction, caller, registry } = work;
  await replaceInstallation(transaction, after.row);
  if (before.untilApproved && !after.untilApproved) await deleteRevokedInstallation(transaction, { id: after.row.id });
  if (after.untilApproved && !before.untilApproved) await storeMarks(work, [after.row]);
  await appendEvent(transaction, { caller, at: registry.now(), ...toChange(before, after) });
}

/** Lets the next approval of their app enable these installations. */
export async function storeMarks({ transaction }: ImportWork, rows: InstallationRow[]): Promise<void> {
  if (rows.length === 0) return;
  const marks = rows.map(({ id, app_id }) => ({ id, app_id }));
  await transaction.insertNew('revoked_installations', marks);
}

function toChange(before: MarkedInstallation, after: MarkedInstallation): Change {
  const about = { appId: after.row.app_id, subjectId: after.row.id };
  const changed = differingColumns(before.row, after.row);
  if (changed.every((column) => column === 'enabled')) {
    const type = after.row.enabled === 1 ? 'installation.enabled' : 'installation.disabled';
    return { type, ...about, before: stateData(before), after: stateData(after) };
  }
  const isStateChanged = changed.includes('enabled') || before.untilApproved !== after.untilApproved;
  const dataOf = (installation: MarkedInstallation) => ({
    ...(changed.includes('user_id') && { userId: installation.row.user_id }),
    ...(changed.includes('created_at') && { createdAt: dateTime(installation.row.created_at) }),
    ...(isStateChanged && stateData(installation)),
  });
  return { type: 'installation.updated', ...about, before: dataOf(before), after: dataOf(after) };
}

function stateData({ row, untilApproved }: MarkedInstallation) {
  return { enabled: row.enabled === 1, ...(untilApproved && { untilApproved }) };
}
