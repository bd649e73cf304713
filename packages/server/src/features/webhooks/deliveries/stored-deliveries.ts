import type { Registry } from '../../../kernel/registry.ts';
import { trustedTime } from '../../../kernel/time.ts';
import { listDisabledWebhooks } from '../webhook-queries.ts';
import {
  countPending as countStored,
  deleteFinishedDeliveries,
  deletePendingDeliveries,
  listFinishedDeliveries,
  listFinishedOf,
  listOldestPending,
  listPendingIds,
} from './delivery-queries.ts';

const batchMax = 1_000;
const dayMs = 86_400_000;

/** Per webhook. Counting stops here, so that a measurement costs the same for any number. */
export const countedMax = 10_000;

/** The number of pending deliveries of all enabled webhooks. */
export async function countPending({ storage }: Registry): Promise<number> {
  const counts = await countStored(storage.reader, { max: countedMax });
  return counts.reduce((sum, { pending }) => sum + pending, 0);
}

/**
 * The age of the oldest pending delivery; 0 when there is none. For one that was queued while a clock was ahead, this
 * is the time until then: its age is unknown, and must not show as 0.
 */
export async function oldestPendingMs({ storage, now }: Registry): Promise<number> {
  const oldest = await listOldestPending(storage.reader, {});
  // Afterwards, so that none of them is from the future because it was queued meanwhile.
  const at = now();
  return Math.max(0, ...oldest.flatMap(({ first, last }) => [at - (first ?? at), (last ?? at) - at]));
}

/**
 * Deletes the deliveries that finished at least this many days ago, and the pending ones of webhooks that are disabled for
 * that long; 0 retains all. Other pending deliveries and all events remain. Returns how many were never delivered.
 */
export async function pruneDeliveries(
  registry: Registry,
  { retentionDays }: { retentionDays: number },
): Promise<number> {
  if (retentionDays === 0) return 0;
  const until = (await trustedTime(registry)) - retentionDays * dayMs;
  return (await pruneOfDisabled(registry, until)) + (await pruneFinished(registry, until));
}

/**
 * A disabled webhook gets no new deliveries, but its pending ones would keep their events from being archived forever.
 */
async function pruneOfDisabled(registry: Registry, until: number): Promise<number> {
  let deleted = 0;
  for (const { id } of await listDisabledWebhooks(registry.storage.reader, { until })) {
    deleted += await deletePending(registry, id);
  }
  return deleted;
}

async function pruneFinished({ storage }: Registry, until: number): Promise<number> {
  for (let givenUp = 0; ; ) {
    const batch = await listFinishedDeliveries(storage.reader, { until, limit: batchMax });
    const ids = batch.map(({ id }) => id);
    if (ids.length > 0) await storage.write((transaction) => deleteFinishedDeliveries(transaction, ids));
    givenUp += batch.filter(({ state }) => state === 'failed').length;
    if (ids.length < batchMax) return givenUp;
  }
}

/** Deletes the pending deliveries of a disabled webhook, in batches, so that other writes need not wait. Returns their number. */
export async function deletePending({ storage }: Registry, webhookId: string): Promise<number> {
  for (let deleted = 0; ; ) {
    const ids = (await listPendingIds(storage.reader, { webhookId, limit: batchMax })).map(({ id }) => id);
    if (ids.length === 0) return deleted;
    deleted += await storage.write((transaction) => deletePendingDeliveries(transaction, ids));
  }
}

/** Whether a webhook has more pending deliveries than one transaction should delete. */
export async function hasManyPending({ storage }: Registry, webhookId: string): Promise<boolean> {
  return (await listPendingIds(storage.reader, { webhookId, limit: batchMax })).length === batchMax;
}

/** Deletes the finished deliveries of a webhook, in batches too. */
export async function deleteFinished({ storage }: Registry, webhookId: string): Promise<void> {
  for (let count = batchMax; count === batchMax; ) {
    const ids = (await listFinishedOf(storage.reader, { webhookId, limit: batchMax })).map(({ id }) => id);
    if (ids.length > 0) await storage.write((transaction) => deleteFinishedDeliveries(transaction, ids));
    count = ids.length;
  }
}
