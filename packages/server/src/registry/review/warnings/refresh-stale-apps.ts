import { setTimeout } from 'node:timers/promises';
import { findAppByNameClaim, listAppsForUpdate, replaceApp } from '../../../storage/queries/apps.ts';
import { deleteStaleApps, listStaleAppIds } from '../../../storage/queries/review/stale-apps.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { readableApprovedContent } from '../../apps/content-snapshot.ts';
import type { ChangesToApproved } from '../../apps/effective-content.ts';
import { nextApp } from '../../apps/next-app.ts';
import { changesToApproved } from '../../apps/store-app.ts';
import type { Registry } from '../../registry.ts';
import { replaceIdentities } from './store-identities.ts';

/** Locked for a few milliseconds at a time. */
const batchMax = 100;

/**
 * Recomputes derived data that an older program, or older data, left stale: names and hosts, the place in the queue and
 * the claim of the approved name. Each batch is a transaction of its own and is followed by a pause as long as itself;
 * so it can be stopped and continued at any time, also by several processes. Returns the number of apps. Throws an
 * `AbortError` when stopped.
 */
export async function refreshStaleApps(registry: Registry, { signal }: { signal: AbortSignal }): Promise<number> {
  const { storage } = registry;
  for (let refreshed = 0; ; ) {
    const beganAt = performance.now();
    const stale = await listStaleAppIds(storage.reader, { limit: batchMax });
    if (stale.length === 0) return refreshed;
    const ids = stale.map(({ app_id }) => app_id);
    await storage.write((transaction) => refresh(transaction, registry, ids));
    refreshed += ids.length;
    await setTimeout(performance.now() - beganAt, undefined, { signal });
  }
}

async function refresh(transaction: Connection, registry: Registry, ids: string[]): Promise<void> {
  const apps = await listAppsForUpdate(transaction, ids);
  const mode = await changesToApproved(transaction);
  // One whose approved content is damaged is derived when an import repairs it.
  const readable = apps.filter((app) => app.approved_content === null || readableApprovedContent(app) !== null);
  for (const app of readable) await refreshColumns(transaction, app, { at: registry.now(), mode });
  await replaceIdentities(transaction, readable);
  await deleteStaleApps(transaction, ids);
}

/** Stores the derived columns if they differ: the text that they were derived from is not worth rewriting every row. */
async function refreshColumns(
  transaction: Connection,
  before: AppRow,
  change: { at: number; mode: ChangesToApproved },
): Promise<void> {
  const after = nextApp(before, {}, change);
  const isTaken = await isApprovedNameTaken(transaction, after);
  if (isTaken) after.approved_name_key = null;
  const isChanged = Object.keys(after).some(
    (column) => column !== 'derived_from' && Reflect.get(after, column) !== Reflect.get(before, column),
  );
  if (isChanged || isTaken) await replaceApp(transaction, after);
}

/** While only older programs ran, a renamed app claimed its current name alone, and another app could take the approved one. */
async function isApprovedNameTaken(
  transaction: Connection,
  { id, name_claim: claim, approved_name_key: key }: AppRow,
): Promise<boolean> {
  if (claim === null || key === null || key === claim) return false;
  const holder = await findAppByNameClaim(transaction, { nameClaim: key });
  return holder !== null && holder.app_id !== id;
}
