import type { ImportError } from '../../contract/import-record.ts';
import { listAppIdsForUpdate } from '../../storage/queries/apps.ts';
import { listDeletedAppsForUpdate, updateDeletedApp } from '../../storage/queries/deleted-apps.ts';
import type { AppRow, DeletedAppRow } from '../../storage/tables.ts';
import { appEventData, appUpdated } from '../apps/app-event-data.ts';
import { appOfDeleted, isRestorable, toDeletedRow } from '../apps/deleted-app.ts';
import { dateTime } from '../date-time.ts';
import { appendEvent, appendEvents, type Change } from '../events/append-event.ts';
import { appCreated } from './import-apps.ts';
import type { PlacedDeletedApp } from './import-batch.ts';
import { developerReference } from './import-developers.ts';
import { resolveLogos } from './import-logos.ts';
import { type ImportWork, insertPlaced, type LineError, resolveReference } from './import-work.ts';
import { mergeApp } from './merge-app.ts';

/**
 * Stores apps that were deleted and can be restored. Those that are deleted here too become what their lines
 * tell; those that cannot be restored any more are left out.
 */
export async function storeDeletedApps(work: ImportWork, placed: PlacedDeletedApp[]): Promise<ImportError[]> {
  const { whole, faults } = await resolveReference(work, placed, developerReference<AppRow>());
  const { usable, faults: logoFaults } = await resolveLogos(work, whole);
  const { deleted, faults: liveFaults } = await withoutLive(work, usable);
  const restorable = deleted.filter(({ deletedAt }) => isRestorable(deletedAt, work.registry.now()));
  work.summary.apps.unchanged += deleted.length - restorable.length;

  const refused = await insertDeletedApps(work, restorable);
  const updateFaults = refused.length > 0 ? await updateDeletedApps(work, refused) : [];
  return [...faults, ...logoFaults, ...liveFaults, ...updateFaults];
}

async function withoutLive({ transaction }: ImportWork, placed: PlacedDeletedApp[]) {
  const ids = placed.map(({ row }) => row.id);
  const live = new Set(ids.length === 0 ? [] : await listAppIdsForUpdate(transaction, ids));
  return {
    deleted: placed.filter(({ row }) => !live.has(row.id)),
    faults: placed.filter(({ row }) => live.has(row.id)).map(({ line }) => ({ line, ...notDeleted })),
  };
}

const notDeleted: LineError = {
  pointer: '/deletedAt',
  code: 'already_exists',
  detail: 'The app with this id is not deleted, here or on an earlier line. Delete it first, or leave the line out.',
};

/** Answers the lines whose app is deleted here already. */
async function insertDeletedApps(work: ImportWork, placed: PlacedDeletedApp[]): Promise<PlacedDeletedApp[]> {
  const lines = placed.map((said) => ({
    line: said.line,
    row: toDeletedRow(said.row, said.deletedAt),
    unsaid: [],
    said,
  }));
  const { stored, refused } = await insertPlaced(work, lines, {
    table: 'deleted_apps',
    toChange: ({ said }) => appCreated(said.row),
  });
  work.summary.apps.created += stored.length;
  const { transaction, caller, registry } = work;
  const changes = stored.map(({ said }) => appDeleted(said));
  await appendEvents(transaction, { caller, at: registry.now(), changes });
  return refused.map(({ said }) => said);
}

function appDeleted({ row, deletedAt }: PlacedDeletedApp): Change {
  return {
    type: 'app.deleted',
    appId: row.id,
    subjectId: row.id,
    before: appEventData(row),
    after: { deletedAt: dateTime(deletedAt) },
  };
}

async function updateDeletedApps(work: ImportWork, placed: PlacedDeletedApp[]): Promise<ImportError[]> {
  const ids = placed.map(({ row }) => row.id);
  const stored = new Map((await listDeletedAppsForUpdate(work.transaction, ids)).map((row) => [row.id, row]));
  const faults: ImportError[] = [];
  for (const line of placed) {
    const before = stored.get(line.row.id);
    // Somebody may have restored it since.
    const fault = before ? await updateOne(work, before, line) : notDeleted;
    if (fault) faults.push({ line: line.line, ...fault });
  }
  return faults;
}

async function updateOne(
  { registry, caller, transaction, summary }: ImportWork,
  before: DeletedAppRow,
  line: PlacedDeletedApp,
): Promise<LineError | null> {
  if (before.developer_id !== line.row.developer_id) return anotherDeveloper;
  const app = appOfDeleted(before);
  const merged = mergeApp(registry, app, line);
  // Never backwards: an old file does not end the time in which the app can be restored.
  const after = toDeletedRow(merged, Math.max(before.deleted_at, line.deletedAt));
  if (merged === app && after.deleted_at === before.deleted_at) {
    summary.apps.unchanged += 1;
    return null;
  }
  summary.apps.updated += 1;
  await updateDeletedApp(transaction, after);
  const told = appUpdated(app, merged);
  await appendEvent(transaction, {
    caller,
    at: registry.now(),
    type: 'app.updated',
    appId: after.id,
    subjectId: after.id,
    ...told,
    before: { ...told.before, deletedAt: dateTime(before.deleted_at) },
    after: { ...told.after, deletedAt: dateTime(after.deleted_at) },
  });
  return null;
}

const anotherDeveloper: LineError = {
  pointer: '/developerId',
  code: 'not_allowed',
  detail: 'The deleted app with this id is one of another developer here. Restore and transfer it first.',
};
