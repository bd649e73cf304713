import { listDeletedUntil, removeDeletedApp } from '../../storage/queries/deleted-apps.ts';
import type { Connection } from '../../storage/query.ts';
import { appendEvents } from '../events/append-event.ts';
import type { Caller, Registry } from '../registry.ts';
import { restorableMs } from './deleted-app.ts';

const batchMax = 100;

const upkeep: Caller = { actor: 'upkeep', requestId: null };

/** Forgets the apps that were deleted 30 days ago, but for their events. Answers how many. */
export async function purgeDeletedApps(registry: Registry): Promise<number> {
  for (let purged = 0; ; ) {
    const batch = await registry.storage.write((transaction) => purgeSome(transaction, registry.now()));
    purged += batch;
    if (batch < batchMax) return purged;
  }
}

/** The same as a part of one write. */
export async function purgeDeletedAppsIn(transaction: Connection, at: number): Promise<void> {
  while ((await purgeSome(transaction, at)) === batchMax);
}

async function purgeSome(transaction: Connection, at: number): Promise<number> {
  const due = await listDeletedUntil(transaction, { time: at - restorableMs, limit: batchMax });
  for (const { id } of due) await removeDeletedApp(transaction, { id });
  await appendEvents(transaction, {
    caller: upkeep,
    at,
    changes: due.map(({ id }) => ({ type: 'app.purged', appId: id, subjectId: id })),
  });
  return due.length;
}
