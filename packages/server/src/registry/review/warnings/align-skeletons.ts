import { setImmediate } from 'node:timers/promises';
import {
  findProtectedNameByKey,
  listProtectedNamesForUpdate,
  updateProtectedKey,
} from '../../../storage/queries/review/protected-names.ts';
import {
  deleteSkeletonVersions,
  findLastOfNextApps,
  findSkeletonVersion,
  insertStaleApps,
} from '../../../storage/queries/review/stale-apps.ts';
import type { Connection } from '../../../storage/query.ts';
import type { Registry } from '../../registry.ts';
import { protectedKey } from './protected-keys.ts';
import { skeletonVersion } from './skeleton.ts';

/** SQLite blocks the process for as long as this takes: a few milliseconds. */
const batchMax = 1_000;
/** After every id. */
const lastId = '~';

/**
 * If the stored skeletons are of an older version, makes all apps stale and the keys of protected names again. Until
 * `refreshStaleApps` has done its work, texts of both versions are compared. In steps; a step that is repeated does no harm.
 */
export async function alignSkeletons({ storage }: Registry, { signal }: { signal: AbortSignal }): Promise<void> {
  const stored = await findSkeletonVersion(storage.reader, {});
  if (stored && !isOlder(stored.skeletons, skeletonVersion)) return;
  // Without a version, all apps are stale already, or their skeletons are of this one.
  for (let after = ''; stored && after !== lastId; ) {
    signal.throwIfAborted();
    const last = await findLastOfNextApps(storage.reader, { after, count: batchMax });
    const until = last?.id ?? lastId;
    await storage.write((transaction) => insertStaleApps(transaction, { after, until }));
    after = until;
    await setImmediate();
  }
  await storage.write(async (transaction) => {
    await alignProtectedNames(transaction);
    await deleteSkeletonVersions(transaction, {});
    await transaction.insertNew('identity_versions', [{ skeletons: skeletonVersion }]);
  });
}

async function alignProtectedNames(transaction: Connection): Promise<void> {
  for (const { id, kind, value, key } of await listProtectedNamesForUpdate(transaction, {})) {
    const next = protectedKey({ kind, value });
    // Of two that have come to look alike, one is enough.
    const isTaken = (await findProtectedNameByKey(transaction, { kind, key: next })) !== null;
    if (next !== key && !isTaken) await updateProtectedKey(transaction, { id, key: next });
  }
}

/** Whether one version, of numbers with dots between them, comes before another. */
function isOlder(version: string, than: string): boolean {
  const numbers = than.split('.').map(Number);
  const own = version.split('.').map(Number);
  const at = numbers.findIndex((number, place) => number !== own[place]);
  return at !== -1 && (own[at] ?? 0) < (numbers[at] ?? 0);
}
