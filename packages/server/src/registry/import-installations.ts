import type { ImportFault } from '../contract/import-record.ts';
import { listAppIdsForUpdate, updateInstallationCounts } from '../storage/apps.ts';
import { listInstallationsLike, rewriteInstallation } from '../storage/installations.ts';
import type { InstallationRow } from '../storage/tables.ts';
import { dateTime } from './app-view.ts';
import { appendEvent, type Change } from './append-event.ts';
import type { Placed } from './import-batch.ts';
import {
  changedColumns,
  type ImportWork,
  insertPlaced,
  kept,
  type LineFault,
  type Reference,
  resolveReference,
} from './import-work.ts';

const appsUncountedMax = 10_000;

/** Stores installations. Those that exist already become what their lines tell. */
export async function storeInstallations(work: ImportWork, placed: Placed<InstallationRow>[]): Promise<ImportFault[]> {
  const { whole, faults } = await resolveReference(work, placed, appOfInstallation);
  const { stored, refused } = await insertPlaced(work, whole, {
    table: 'installations',
    toChange: ({ id, app_id: appId, workspace_id: workspaceId, user_id: userId, enabled }) => ({
      type: 'installation.created',
      appId,
      subjectId: id,
      after: { workspaceId, userId, enabled: enabled === 1 },
    }),
  });
  work.summary.installations.created += stored.length;
  for (const { row } of stored) count(work, row.app_id, 1);
  if (refused.length > 0) faults.push(...(await updateInstallations(work, refused)));
  if (work.uncounted.size > appsUncountedMax) await countInstallations(work);
  return faults;
}

/** Counts the installations into their apps: one statement for all apps that got as many. */
export async function countInstallations({ transaction, uncounted }: ImportWork): Promise<void> {
  const idsByCount = Map.groupBy(uncounted.keys(), (id) => uncounted.get(id) as number);
  for (const [by, ids] of idsByCount) await updateInstallationCounts(transaction, { ids, by });
  uncounted.clear();
}

const appOfInstallation: Reference<InstallationRow> = {
  idOf: (row) => row.app_id,
  list: listAppIdsForUpdate,
  fault: {
    pointer: '/appId',
    code: 'not_found',
    detail: 'No app has this id, neither here nor on an earlier line.',
  },
};

function count({ uncounted }: ImportWork, appId: string, by: number): void {
  uncounted.set(appId, (uncounted.get(appId) ?? 0) + by);
}

async function updateInstallations(work: ImportWork, placed: Placed<InstallationRow>[]): Promise<ImportFault[]> {
  const stored = await listInstallationsLike(
    work.transaction,
    placed.map(({ row }) => row),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byPlace = new Map(stored.map((row) => [`${row.app_id} ${row.workspace_id}`, row]));
  const faults: ImportFault[] = [];
  for (const line of placed) {
    const { row } = line;
    const namesake = byId.get(row.id);
    const neighbour = byPlace.get(`${row.app_id} ${row.workspace_id}`);
    const before = line.unsaid.includes('id') ? neighbour : namesake;
    const wrong = placeFaults(row, before, neighbour);
    faults.push(...wrong.map((fault) => ({ line: line.line, ...fault })));
    if (before && wrong.length === 0) await updateInstallation(work, before, line);
  }
  return faults;
}

/** An installation stays in its app and its workspace, and is the only one there. */
function placeFaults(
  row: InstallationRow,
  before: InstallationRow | undefined,
  neighbour: InstallationRow | undefined,
): LineFault[] {
  const faults: LineFault[] = [];
  if (before && before.app_id !== row.app_id) {
    const detail = 'The installation with this id is one of another app, here or on an earlier line.';
    faults.push({ pointer: '/appId', code: 'not_allowed', detail });
  }
  if (neighbour && neighbour !== before) {
    const detail = 'The app is installed in this workspace under another id, here or on an earlier line.';
    faults.push({ pointer: '/workspaceId', code: 'already_exists', detail });
  } else if (before && before.workspace_id !== row.workspace_id) {
    const detail = 'The installation with this id is in another workspace, here or on an earlier line.';
    faults.push({ pointer: '/workspaceId', code: 'not_allowed', detail });
  }
  return faults;
}

async function updateInstallation(
  work: ImportWork,
  before: InstallationRow,
  line: Placed<InstallationRow>,
): Promise<void> {
  const after = kept(before, line);
  const changed = changedColumns(before, after);
  if (changed.length === 0) {
    work.summary.installations.unchanged += 1;
    return;
  }
  work.summary.installations.updated += 1;
  // What the platform sees of the app has changed.
  count(work, before.app_id, 0);
  await rewriteInstallation(work.transaction, after);
  const { caller, registry } = work;
  await appendEvent(work.transaction, { caller, at: registry.now(), ...toChange(before, after, changed) });
}

function toChange(
  before: InstallationRow,
  after: InstallationRow,
  changed: readonly (keyof InstallationRow)[],
): Change {
  const told = (row: InstallationRow) => ({
    ...(changed.includes('user_id') && { userId: row.user_id }),
    ...(changed.includes('created_at') && { createdAt: dateTime(row.created_at) }),
    ...(changed.includes('enabled') && { enabled: row.enabled === 1 }),
  });
  const isSwitch = changed.length === 1 && changed[0] === 'enabled';
  const type = after.enabled === 1 ? 'installation.enabled' : 'installation.disabled';
  return {
    type: isSwitch ? type : 'installation.updated',
    appId: after.app_id,
    subjectId: after.id,
    before: told(before),
    after: told(after),
  };
}
