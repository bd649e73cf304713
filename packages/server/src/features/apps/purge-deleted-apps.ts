import type { Caller, Registry } from '../../kernel/registry.ts';
import { trustedTime } from '../../kernel/trusted-time.ts';
import type { Connection } from '../../storage/query.ts';
import { appendEvents, type ChangeContext } from '../events/append-event.ts';
import { mark } from '../search/projections.ts';
import { restorableMs } from './deleted-app.ts';
import { listDeletedUntil, removeDeletedApp } from './deleted-app-queries.ts';
import { deleteDecisionsOfApp, deleteNotesOfApp } from './review/review-queries.ts';

const batchMax = 100;

const maintenance: Caller = { actor: 'maintenance', requestId: null };

/**
 * Permanently deletes apps that were deleted 30 days ago, with their decisions and notes but not their events. Returns
 * the number of apps.
 */
export async function purgeDeletedApps(registry: Registry): Promise<number> {
  const until = (await trustedTime(registry)) - restorableMs;
  for (let purged = 0; ; ) {
    const batch = await registry.storage.write((transaction) =>
      purgeSome(transaction, { caller: maintenance, at: registry.now() }, until),
    );
    purged += batch;
    if (batch < batchMax) return purged;
  }
}

/** The same within a write. Webhooks receive its events if they receive those of the caller. */
export async function purgeDeletedAppsIn(
  transaction: Connection,
  registry: Registry,
  { deliversEvents = true }: Caller,
): Promise<void> {
  const until = (await trustedTime(registry, transaction)) - restorableMs;
  const caller = { ...maintenance, deliversEvents };
  while ((await purgeSome(transaction, { caller, at: registry.now() }, until)) === batchMax);
}

async function purgeSome(transaction: Connection, context: ChangeContext, until: number): Promise<number> {
  const due = await listDeletedUntil(transaction, { time: until, limit: batchMax });
  for (const { id } of due) {
    await removeDeletedApp(transaction, { id });
    await mark(transaction, id);
    await deleteDecisionsOfApp(transaction, { appId: id });
    await deleteNotesOfApp(transaction, { appId: id });
  }
  await appendEvents(transaction, {
    ...context,
    changes: due.map(({ id }) => ({ type: 'app.purged', appId: id, subjectId: id })),
  });
  return due.length;
}
