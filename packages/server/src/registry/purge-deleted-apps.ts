import { listDeletedUntil, removeDeletedApp } from '../storage/deleted-apps.ts';
import { appendEvents } from './append-event.ts';
import { restorableMs } from './delete-app.ts';
import type { Caller, Registry } from './registry.ts';

const batchMax = 100;

const upkeep: Caller = { actor: 'upkeep', requestId: null };

/** Forgets the apps that were deleted 30 days ago, but for their events. Answers how many. */
export async function purgeDeletedApps(registry: Registry): Promise<number> {
  for (let purged = 0; ; ) {
    const batch = await purgeSome(registry);
    purged += batch;
    if (batch < batchMax) return purged;
  }
}

function purgeSome({ storage, now }: Registry): Promise<number> {
  return storage.write(async (transaction) => {
    const at = now();
    const due = await listDeletedUntil(transaction, { time: at - restorableMs, limit: batchMax });
    for (const { id } of due) await removeDeletedApp(transaction, { id });
    await appendEvents(transaction, {
      caller: upkeep,
      at,
      changes: due.map(({ id }) => ({ type: 'app.purged', appId: id, subjectId: id })),
    });
    return due.length;
  });
}
