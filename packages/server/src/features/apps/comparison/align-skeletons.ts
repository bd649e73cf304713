import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import { protectedKey } from './comparison-keys.ts';
import {
  deleteSkeletonVersions,
  findProtectedNameByKey,
  findSkeletonVersion,
  listNextAppIds,
  listProtectedNamesForUpdate,
  updateProtectedKey,
} from './look-alike-queries.ts';
import { lockProjections } from './projection-queries.ts';
import { project } from './projections.ts';
import { skeletonVersion } from './skeleton.ts';

/** A few milliseconds of work. */
const batchMax = 100;

/**
 * If the stored skeletons are of an older version of Unicode, makes those of all apps and of protected names again. Until
 * it is done, names of both versions are compared. Each batch of apps is a transaction of its own, which does no harm when
 * it is repeated, and is followed by a pause as long as itself. Throws an `AbortError` when stopped.
 */
export async function alignSkeletons({ storage }: Registry, { signal }: { signal: AbortSignal }): Promise<void> {
  const stored = await findSkeletonVersion(storage.reader, {});
  if (stored && !isOlder(stored.skeletons, skeletonVersion)) return;
  // Without a version, the registry is new.
  for (let after = ''; stored; ) {
    const beganAt = performance.now();
    const ids = (await listNextAppIds(storage.reader, { after, limit: batchMax })).map(({ id }) => id);
    if (ids.length === 0) break;
    await storage.write(async (transaction) => {
      await lockProjections(transaction, storage.engine);
      await project(transaction, storage.engine, ids);
    });
    after = ids.at(-1) ?? after;
    await sleep(performance.now() - beganAt, undefined, { signal });
  }
  await storage.write(async (transaction) => {
    await alignProtectedNames(transaction);
    await deleteSkeletonVersions(transaction, {});
    await transaction.insertAll('comparison_key_versions', [{ skeletons: skeletonVersion }]);
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
