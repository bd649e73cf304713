import type { ImportError } from '../../contract/import-record.ts';
import { listAppIdsForUpdate, updateInstallationCounts } from '../../storage/queries/apps.ts';
import { listInstallationsLike } from '../../storage/queries/installations.ts';
import { listApprovedAppIds, listRevokedIds } from '../../storage/queries/revoked-installations.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import type { Change } from '../events/append-event.ts';
import type { PlacedInstallation } from './import-batch.ts';
import {
  type MarkedInstallation,
  mergeInstallation,
  storeInstallationChange,
  storeMarks,
} from './import-installation.ts';
import { type ImportWork, insertPlaced, type LineError, type Reference, resolveReference } from './import-work.ts';

const appsUncountedMax = 10_000;

/** Stores installations. Those that exist already become what their lines tell. */
export async function storeInstallations(work: ImportWork, placed: PlacedInstallation[]): Promise<ImportError[]> {
  const { whole, faults } = await resolveReference(work, placed, appOfInstallation);
  const { possible, faults: markFaults } = await withoutImpossibleMarks(work, whole);
  faults.push(...markFaults);
  const { stored, refused } = await insertPlaced(work, possible, { table: 'installations', toChange: created });
  await storeMarks(
    work,
    stored.filter(({ untilApproved }) => untilApproved).map(({ row }) => row),
  );
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

/** What is approved waits for no approval. */
async function withoutImpossibleMarks({ transaction }: ImportWork, placed: PlacedInstallation[]) {
  const appIds = new Set(placed.filter(({ untilApproved }) => untilApproved).map(({ row }) => row.app_id));
  const approved = new Set(appIds.size === 0 ? [] : await listApprovedAppIds(transaction, [...appIds]));
  const isPossible = ({ untilApproved, row }: PlacedInstallation) => !untilApproved || !approved.has(row.app_id);
  return {
    possible: approved.size === 0 ? placed : placed.filter(isPossible),
    faults: placed.filter((line) => !isPossible(line)).map(({ line }) => ({ line, ...alreadyApproved })),
  };
}

const alreadyApproved: LineError = {
  pointer: '/untilApproved',
  code: 'not_allowed',
  detail: 'The app is APPROVED, here or on an earlier line, so nothing waits for its approval. Leave the member out.',
};

function created({ row, untilApproved }: PlacedInstallation): Change {
  const { id, app_id: appId, workspace_id: workspaceId, user_id: userId, enabled } = row;
  return {
    type: 'installation.created',
    appId,
    subjectId: id,
    after: { workspaceId, userId, enabled: enabled === 1, ...(untilApproved && { untilApproved }) },
  };
}

async function updateInstallations(work: ImportWork, placed: PlacedInstallation[]): Promise<ImportError[]> {
  const stored = await listInstallationsLike(
    work.transaction,
    placed.map(({ row }) => row),
  );
  const byId = new Map(stored.map((row) => [row.id, row]));
  const byPlace = new Map(stored.map((row) => [`${row.app_id} ${row.workspace_id}`, row]));
  const marked = new Set(await listRevokedIds(work.transaction, [...byId.keys()]));
  const faults: ImportError[] = [];
  for (const line of placed) {
    const { row } = line;
    const namesake = byId.get(row.id);
    const neighbour = byPlace.get(`${row.app_id} ${row.workspace_id}`);
    const before = line.unsaid.includes('id') ? neighbour : namesake;
    const wrong = placeFaults(row, before, neighbour);
    faults.push(...wrong.map((fault) => ({ line: line.line, ...fault })));
    if (before && wrong.length === 0) {
      await updateInstallation(work, { row: before, untilApproved: marked.has(before.id) }, line);
    }
  }
  return faults;
}

/** An installation stays in its app and its workspace, and is the only one there. */
function placeFaults(
  row: InstallationRow,
  before: InstallationRow | undefined,
  neighbour: InstallationRow | undefined,
): LineError[] {
  const faults: LineError[] = [];
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
  before: MarkedInstallation,
  line: PlacedInstallation,
): Promise<void> {
  const after = mergeInstallation(before, line);
  if (after === before) {
    work.summary.installations.unchanged += 1;
    return;
  }
  work.summary.installations.updated += 1;
  // What the platform sees of the app has changed.
  count(work, before.row.app_id, 0);
  await storeInstallationChange(work, before, after);
}
