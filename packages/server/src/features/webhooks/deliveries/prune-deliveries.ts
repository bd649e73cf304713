import type { Registry } from '../../../kernel/registry.ts';
import { trustedTime } from '../../../kernel/trusted-time.ts';
import { listDisabledWebhooks } from '../webhook-queries.ts';
import { deletePending } from './delete-pending.ts';
import { deleteFinishedDeliveries, listFinishedDeliveries } from './delivery-queries.ts';

const batchMax = 1_000;
const dayMs = 86_400_000;

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
