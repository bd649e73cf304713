import { deleteFinishedDeliveries, listFinishedDeliveries } from '../../../storage/queries/deliveries.ts';
import type { Registry } from '../../registry.ts';
import { trustedTime } from '../../trusted-time.ts';

const batchMax = 1_000;
const dayMs = 86_400_000;

/**
 * Deletes the deliveries that finished at least this many days ago; 0 retains all. Pending deliveries and all events
 * remain. Returns how many of the deleted ones had been given up, and so were never delivered.
 */
export async function pruneDeliveries(
  registry: Registry,
  { retentionDays }: { retentionDays: number },
): Promise<number> {
  if (retentionDays === 0) return 0;
  const { storage } = registry;
  const until = (await trustedTime(registry)) - retentionDays * dayMs;
  for (let givenUp = 0; ; ) {
    const batch = await listFinishedDeliveries(storage.reader, { until, limit: batchMax });
    const ids = batch.map(({ id }) => id);
    if (ids.length > 0) await storage.write((transaction) => deleteFinishedDeliveries(transaction, ids));
    givenUp += batch.filter(({ state }) => state === 'failed').length;
    if (ids.length < batchMax) return givenUp;
  }
}
