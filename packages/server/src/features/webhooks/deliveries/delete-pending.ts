import type { Registry } from '../../../kernel/registry.ts';
import { deletePendingDeliveries, listPendingIds } from './delivery-queries.ts';

const batchMax = 1_000;

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
