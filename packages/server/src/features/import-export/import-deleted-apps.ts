import { dateTime } from '../../kernel/text.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { DeletedAppRow } from '../../storage/tables.ts';
import { appOfDeleted, isRestorable, toDeletedRow } from '../apps/app-content.ts';
import { listAppIdsForUpdate } from '../apps/app-queries.ts';
import { appEventData, appUpdated } from '../apps/change-app.ts';
import { projectNew } from '../apps/comparison/projections.ts';
import { listDeletedAppsForUpdate, updateDeletedApp } from '../apps/deleted-app-queries.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import { appCreated, countDraft, mergeApp, resolveReferences, withoutApps } from './import-apps.ts';
import type { ImportedDeletedApp } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import { type ImportWork, insertRecords, type LineError } from './import-work.ts';

/**
 * Stores deleted apps that can be restored. Those that are also deleted here are updated from their records; those that
 * can no longer be restored are skipped.
 */
export async function storeDeletedApps(work: ImportWork, records: ImportedDeletedApp[]): Promise<ImportError[]> {
  const { usable, errors } = await resolveReferences(work, records);
  const live = { list: listAppIdsForUpdate, error: notDeleted };
  const { remaining: deleted, errors: liveErrors } = await withoutApps(work, usable, live);
  const restorable = deleted.filter(({ deletedAt }) => isRestorable(deletedAt, work.registry.now()));
  work.summary.apps.unchanged += deleted.length - restorable.length;

  const refused = await insertDeletedApps(work, restorable);
  const updateErrors = refused.length > 0 ? await updateDeletedApps(work, refused) : [];
  return [...errors, ...liveErrors, ...updateErrors];
}

const notDeleted: LineError = {
  pointer: '/deletedAt',
  code: 'already_exists',
  detail:
    'An app with this id that is not deleted is in the registry or on an earlier line. Delete it first, or omit the line.',
};

/** Returns the records whose app is already deleted here. */
async function insertDeletedApps(work: ImportWork, records: ImportedDeletedApp[]): Promise<ImportedDeletedApp[]> {
  const deletedRecords = records.map((record) => ({
    line: record.line,
    row: toDeletedRow(record.row, record.deletedAt),
    absentColumns: [],
    record,
  }));
  const { stored, refused } = await insertRecords(work, deletedRecords, {
    table: 'deleted_apps',
    toChanges: ({ record }) => [appCreated(record.row), appDeleted(record)],
  });
  await projectNew(work.transaction, work.registry.storage.engine, { deletedApps: stored.map(({ row }) => row) });
  work.summary.apps.created += stored.length;
  for (const { record } of stored) countDraft(work, record, record.row);
  return refused.map(({ record }) => record);
}

function appDeleted({ row, deletedAt }: ImportedDeletedApp): Change {
  return {
    type: 'app.deleted',
    appId: row.id,
    subjectId: row.id,
    before: appEventData(row),
    after: { deletedAt: dateTime(deletedAt) },
  };
}

async function updateDeletedApps(work: ImportWork, records: ImportedDeletedApp[]): Promise<ImportError[]> {
  const ids = records.map(({ row }) => row.id);
  const stored = new Map((await listDeletedAppsForUpdate(work.transaction, ids)).map((row) => [row.id, row]));
  const errors: ImportError[] = [];
  for (const record of records) {
    const before = stored.get(record.row.id);
    // Another caller may have restored it since.
    const error = before ? await updateOne(work, before, record) : notDeleted;
    if (error) errors.push({ line: record.line, ...error });
  }
  return errors;
}

async function updateOne(
  work: ImportWork,
  before: DeletedAppRow,
  record: ImportedDeletedApp,
): Promise<LineError | null> {
  const { registry, caller, transaction, summary } = work;
  if (before.developer_id !== record.row.developer_id) return { ...anotherDeveloper, clashesWith: before.id };
  const app = appOfDeleted(before);
  const merged = mergeApp(work, app, record);
  countDraft(work, record, merged);
  // Never earlier: an old file does not shorten the time in which the app can be restored.
  const after = toDeletedRow(merged, Math.max(before.deleted_at, record.deletedAt));
  if (merged === app && after.deleted_at === before.deleted_at) {
    summary.apps.unchanged += 1;
    return null;
  }
  summary.apps.updated += 1;
  await updateDeletedApp(transaction, after);
  await markForProjection(transaction, { subjectId: after.id });
  const data = appUpdated(app, merged);
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'app.updated',
    appId: after.id,
    subjectId: after.id,
    ...data,
    before: { ...data.before, deletedAt: dateTime(before.deleted_at) },
    after: { ...data.after, deletedAt: dateTime(after.deleted_at) },
  });
  return null;
}

const anotherDeveloper: LineError = {
  pointer: '/developerId',
  code: 'not_allowed',
  detail: 'The deleted app with this id belongs to another developer in the registry. Restore and transfer it first.',
};
