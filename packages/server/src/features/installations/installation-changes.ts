import type { Caller } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import { appendEvents, type Change, type ChangeContext } from '../events/append-event.ts';
import {
  type CausesChange,
  causeColumns,
  causeData,
  type DisablingCause,
  nextCauses,
  storedCauses,
} from './installation.ts';
import {
  listInstallationsByCreation,
  listInstallationsOfApps,
  listRevokedInstallations,
  updateInstallationCauses,
} from './installation-queries.ts';

const batchMax = 1_000;

/** A review step in progress: its app is locked, and thereby its installations. */
interface Review {
  caller: Caller;
  at: number;
  appId: string;
}

/** Disables every installation of an app until the app is approved again. */
export async function disableInstallations(transaction: Connection, { appId, ...context }: Review): Promise<void> {
  for await (const rows of installationsOfApp(transaction, appId)) {
    await changeCauses(transaction, context, { rows, add: 'revocation' });
  }
}

/** Removes the revocation from them: those without another cause are enabled. */
export async function enableInstallations(transaction: Connection, { appId, ...context }: Review): Promise<void> {
  let lastId = '';
  for (;;) {
    const rows = await listRevokedInstallations(transaction, { appId, id: lastId, limit: batchMax });
    if (rows.length === 0) return;
    await changeCauses(transaction, context, { rows, remove: 'revocation' });
    lastId = rows.at(-1)?.id ?? lastId;
  }
}

interface Changed {
  row: InstallationRow;
  before: DisablingCause[];
  after: DisablingCause[];
}

/** Changes why installations of locked apps are disabled, each with its event. Returns those that changed. */
export async function changeCauses(
  transaction: Connection,
  context: ChangeContext,
  { rows, ...change }: { rows: InstallationRow[] } & CausesChange,
): Promise<InstallationRow[]> {
  const changed = rows
    .map((row) => ({ row, before: storedCauses(row), after: nextCauses(storedCauses(row), change) }))
    .filter(({ before, after }) => before.join() !== after.join());
  if (changed.length === 0) return [];
  for (const [, same] of Map.groupBy(changed, ({ after }) => after.join(' '))) {
    const ids = same.map(({ row }) => row.id);
    await updateInstallationCauses(transaction, { ids, ...causeColumns(same[0]?.after ?? []), updated_at: context.at });
  }
  await appendEvents(transaction, { ...context, changes: changed.map(toChange) });
  return changed.map(({ row }) => row);
}

/** All installations of these locked apps, in batches. */
export async function* installationBatches(
  transaction: Connection,
  apps: Pick<AppRow, 'id' | 'installation_count'>[],
): AsyncGenerator<InstallationRow[], undefined> {
  for (const { ids, isLarge } of groupApps(apps)) {
    if (isLarge) for (const id of ids) yield* installationsOfApp(transaction, id);
    else yield await listInstallationsOfApps(transaction, ids);
  }
}

/** All installations of one app by creation, in batches. */
export async function* installationsOfApp(
  transaction: Connection,
  appId: string,
): AsyncGenerator<InstallationRow[], undefined> {
  let last = { id: '', created_at: Number.MIN_SAFE_INTEGER };
  for (;;) {
    const { id, created_at: createdAt } = last;
    const batch = await listInstallationsByCreation(transaction, { appId, createdAt, id, limit: batchMax });
    if (batch.length > 0) yield batch;
    if (batch.length < batchMax) return;
    last = batch.at(-1) ?? last;
  }
}

/** Apps in their order, in groups that together have no more installations than a batch, or one app that has more. */
function groupApps(apps: Pick<AppRow, 'id' | 'installation_count'>[]): { ids: string[]; isLarge: boolean }[] {
  const groups: { ids: string[]; isLarge: boolean }[] = [];
  let room = 0;
  for (const { id, installation_count: count } of apps) {
    if (count === 0) continue;
    const group = groups.at(-1);
    if (count > batchMax || count > room || !group) groups.push({ ids: [id], isLarge: count > batchMax });
    else group.ids.push(id);
    room = (count > room ? batchMax : room) - count;
  }
  return groups;
}

/** The type says whether it is enabled now, also when only the causes change. */
function toChange({ row, before, after }: Changed): Change {
  return {
    type: after.length === 0 ? 'installation.enabled' : 'installation.disabled',
    appId: row.app_id,
    subjectId: row.id,
    before: causeData(before),
    after: causeData(after),
  };
}

/** The event of a removal. */
export function installationDeleted(installation: InstallationRow): Change {
  const { id, app_id: appId, workspace_id: workspaceId, user_id: userId, enabled } = installation;
  return {
    type: 'installation.deleted',
    appId,
    subjectId: id,
    before: { workspaceId, userId, enabled: enabled === 1 },
  };
}
