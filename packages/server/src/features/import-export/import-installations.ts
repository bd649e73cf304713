import { newRevisionNonce } from '../../kernel/revision.ts';
import { dateTime } from '../../kernel/text.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import { listAppIdsForUpdate, listAppStatuses, updateInstallationCounts } from '../apps/app-queries.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import {
  causeColumns,
  causeData,
  type DisablingCause,
  nextCauses,
  storedCauses,
} from '../installations/installation.ts';
import { listInstallationsLike, replaceInstallation } from '../installations/installation-queries.ts';
import type { ImportedInstallation } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import {
  differingColumns,
  type ImportWork,
  insertRecords,
  type LineError,
  type Reference,
  resolveReference,
  withStoredColumns,
} from './import-work.ts';

const appsUncountedMax = 10_000;

/** Stores installations. Existing ones are updated from their records. */
export async function storeInstallations(work: ImportWork, records: ImportedInstallation[]): Promise<ImportError[]> {
  const { resolved, errors } = await resolveReference(work, records, appOfInstallation);
  const { valid, errors: causeErrors } = await withValidCauses(work, resolved);
  errors.push(...causeErrors);
  const { stored, refused } = await insertRecords(work, valid, { table: 'installations', toChanges: created });
  work.summary.installations.created += stored.length;
  for (const { row } of stored) count(work, row.app_id, 1);
  if (refused.length > 0) errors.push(...(await updateInstallations(work, refused)));
  if (work.uncounted.size > appsUncountedMax) await countInstallations(work);
  return errors;
}

/** Updates the counts of the apps: one statement for all apps with the same number of new installations. */
export async function countInstallations({ transaction, uncounted }: ImportWork): Promise<void> {
  for (const [by, apps] of Map.groupBy(uncounted, ([, count]) => count)) {
    await updateInstallationCounts(transaction, { ids: apps.map(([id]) => id), by, revisionNonce: newRevisionNonce() });
  }
  uncounted.clear();
}

const appOfInstallation: Reference<InstallationRow> = {
  idOf: (row) => row.app_id,
  list: listAppIdsForUpdate,
  error: {
    pointer: '/appId',
    code: 'not_found',
    detail: 'No app in the registry or on an earlier line has this id.',
  },
};

function count({ uncounted }: ImportWork, appId: string, by: number): void {
  uncounted.set(appId, (uncounted.get(appId) ?? 0) + by);
}

/**
 * An installation of an approved app does not wait for an approval. One of an app whose developer is suspended is disabled,
 * also by a line from before the suspension.
 */
async function withValidCauses({ transaction }: ImportWork, records: ImportedInstallation[]) {
  const ids = [...new Set(records.map(({ row }) => row.app_id))];
  const apps = ids.length === 0 ? [] : await listAppStatuses(transaction, ids);
  const isSuspended = new Set(apps.filter((app) => app.suspended_status !== null).map(({ id }) => id));
  const isApproved = new Set(apps.filter(hasApproval).map(({ id }) => id));
  const valid: ImportedInstallation[] = [];
  const errors: ImportError[] = [];
  for (const record of records) {
    const { line, row, causes } = record;
    if (causes.includes('revocation') && isApproved.has(row.app_id)) errors.push({ line, ...alreadyApproved });
    else if (isSuspended.has(row.app_id)) valid.push(withSuspension(record));
    else if (causes.includes('suspension')) errors.push({ line, ...notSuspended });
    else valid.push(record);
  }
  return { valid, errors };
}

function hasApproval(app: Pick<AppRow, 'review_status' | 'suspended_status'>): boolean {
  return app.review_status === 'APPROVED' || app.suspended_status === 'APPROVED';
}

function withSuspension(record: ImportedInstallation): ImportedInstallation {
  const causes = nextCauses(record.causes, { add: 'suspension' });
  return { ...record, causes, row: { ...record.row, ...causeColumns(causes) } };
}

const alreadyApproved: LineError = {
  pointer: '/disabledBy',
  code: 'not_allowed',
  detail:
    'The app is APPROVED, in the registry or on an earlier line, so no installation waits for its approval. Omit "revocation".',
};

const notSuspended: LineError = {
  pointer: '/disabledBy',
  code: 'not_allowed',
  detail: 'The developer of the app is not suspended, in the registry or on an earlier line. Omit "suspension".',
};

function created({ row, causes }: ImportedInstallation): Change[] {
  const { id, app_id: appId, workspace_id: workspaceId, user_id: userId } = row;
  const after = { workspaceId, userId, ...causeData(causes) };
  return [{ type: 'installation.created', appId, subjectId: id, after }];
}

async function updateInstallations(work: ImportWork, records: ImportedInstallation[]): Promise<ImportError[]> {
  const stored = await listInstallationsLike(
    work.transaction,
    records.map(({ row }) => row),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byWorkspace = new Map(stored.map((row) => [`${row.app_id} ${row.workspace_id}`, row]));
  const errors: ImportError[] = [];
  for (const record of records) {
    const { row } = record;
    const withSameId = byId.get(row.id);
    const inSameWorkspace = byWorkspace.get(`${row.app_id} ${row.workspace_id}`);
    const before = record.absentColumns.includes('id') ? inSameWorkspace : withSameId;
    const found = placementErrors(row, before, inSameWorkspace);
    errors.push(...found.map((error) => ({ line: record.line, ...error })));
    if (before && found.length === 0) await updateInstallation(work, before, record);
  }
  return errors;
}

/** An installation cannot change its app or workspace, and a workspace has an app once. */
function placementErrors(
  row: InstallationRow,
  before: InstallationRow | undefined,
  inSameWorkspace: InstallationRow | undefined,
): LineError[] {
  const errors: LineError[] = [];
  if (before && before.app_id !== row.app_id) {
    const detail = 'The installation with this id belongs to another app, in the registry or on an earlier line.';
    errors.push({ pointer: '/appId', code: 'not_allowed', detail, clashesWith: before.id });
  }
  if (inSameWorkspace && inSameWorkspace !== before) {
    const detail = 'The app is installed in this workspace under another id, in the registry or on an earlier line.';
    errors.push({ pointer: '/workspaceId', code: 'already_exists', detail, clashesWith: inSameWorkspace.id });
  } else if (before && before.workspace_id !== row.workspace_id) {
    const detail = 'The installation with this id is in another workspace, in the registry or on an earlier line.';
    errors.push({ pointer: '/workspaceId', code: 'not_allowed', detail, clashesWith: before.id });
  }
  return errors;
}

async function updateInstallation(
  work: ImportWork,
  before: InstallationRow,
  record: ImportedInstallation,
): Promise<void> {
  const after = mergeInstallation(before, record, work.registry.now());
  if (after === before) {
    work.summary.installations.unchanged += 1;
    return;
  }
  work.summary.installations.updated += 1;
  // The platform view of the app has changed.
  count(work, before.app_id, 0);
  const { transaction, caller, registry } = work;
  await replaceInstallation(transaction, after);
  await appendEvent(transaction, { caller, at: registry.now(), ...toChange(before, after) });
}

/** An existing installation updated from a record; the same object when nothing changes. */
function mergeInstallation(before: InstallationRow, record: ImportedInstallation, at: number): InstallationRow {
  const causes = record.absentColumns.includes('enabled') ? storedCauses(before) : record.causes;
  const isSameState = causes.join() === storedCauses(before).join();
  const { enabled, disabled_by } = isSameState ? before : causeColumns(causes);
  const row = { ...withStoredColumns(before, record), enabled, disabled_by, updated_at: before.updated_at };
  return differingColumns(before, row).length === 0 ? before : { ...row, updated_at: at };
}

function toChange(before: InstallationRow, after: InstallationRow): Change {
  const about = { appId: after.app_id, subjectId: after.id };
  const [from, to] = [storedCauses(before), storedCauses(after)];
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
