import type { DisablingCause } from '../../contract/installation.ts';
import {
  deleteRevokedInstallationsIn,
  listMarkedInstallations,
  listMarkedInstallationsOf,
  updateInstallationCauses,
} from '../../storage/queries/revoked-installations.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { appendEvents, type Change, type ChangeContext } from '../events/append-event.ts';
import { causeColumns, causeData, causesOf, type MarkedInstallationRow } from './causes.ts';

const batchMax = 1_000;

/** The causes of an installation after a change. */
export type NextCauses = (causes: DisablingCause[]) => DisablingCause[];

interface Changed {
  row: MarkedInstallationRow;
  before: DisablingCause[];
  after: DisablingCause[];
}

/**
 * Changes why installations of locked apps are disabled, each with its event, and maintains the revocation marks. Returns
 * those that changed.
 */
export async function changeCauses(
  transaction: Connection,
  context: ChangeContext,
  { rows, next }: { rows: MarkedInstallationRow[]; next: NextCauses },
): Promise<MarkedInstallationRow[]> {
  const changed = rows
    .map((row) => ({ row, before: causesOf(row), after: next(causesOf(row)) }))
    .filter(({ before, after }) => before.join() !== after.join());
  if (changed.length === 0) return [];
  for (const [, same] of Map.groupBy(changed, ({ after }) => after.join(' '))) {
    const ids = same.map(({ row }) => row.id);
    await updateInstallationCauses(transaction, { ids, ...causeColumns(same[0]?.after ?? []) });
  }
  await changeMarks(transaction, changed);
  await appendEvents(transaction, { ...context, changes: changed.map(toChange) });
  return changed.map(({ row }) => row);
}

/** All installations of these locked apps, in batches. */
export async function* installationsOf(
  transaction: Connection,
  apps: Pick<AppRow, 'id' | 'installation_count'>[],
): AsyncGenerator<MarkedInstallationRow[], undefined> {
  for (const { ids, isLarge } of groupsOf(apps)) {
    if (isLarge) for (const id of ids) yield* installationsOfApp(transaction, id);
    else yield await listMarkedInstallationsOf(transaction, ids);
  }
}

/** All installations of one app by creation, in batches. */
export async function* installationsOfApp(
  transaction: Connection,
  appId: string,
): AsyncGenerator<MarkedInstallationRow[], undefined> {
  let last = { id: '', created_at: Number.MIN_SAFE_INTEGER };
  for (;;) {
    const { id, created_at: createdAt } = last;
    const batch = await listMarkedInstallations(transaction, { appId, createdAt, id, limit: batchMax });
    if (batch.length > 0) yield batch;
    if (batch.length < batchMax) return;
    last = batch.at(-1) ?? last;
  }
}

/** Apps in their order, in groups that together have no more installations than a batch, or one app that has more. */
function groupsOf(apps: Pick<AppRow, 'id' | 'installation_count'>[]): { ids: string[]; isLarge: boolean }[] {
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

async function changeMarks(transaction: Connection, changed: Changed[]): Promise<void> {
  const isRevoked = (causes: DisablingCause[]) => causes.includes('revocation');
  const marked = changed.filter(({ row, after }) => isRevoked(after) && row.mark === null);
  const unmarked = changed.filter(({ row, after }) => !isRevoked(after) && row.mark !== null);
  if (marked.length > 0) {
    const marks = marked.map(({ row }) => ({ id: row.id, app_id: row.app_id }));
    await transaction.insertNew('revoked_installations', marks);
  }
  if (unmarked.length > 0) {
    await deleteRevokedInstallationsIn(
      transaction,
      unmarked.map(({ row }) => row.id),
    );
  }
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
