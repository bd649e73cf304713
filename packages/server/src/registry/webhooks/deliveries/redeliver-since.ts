import { type Redelivered, Redelivery } from '../../../contract/webhook.ts';
import { listToRedeliver, updateToPending } from '../../../storage/queries/deliveries/deliveries.ts';
import { requireValid } from '../../failure.ts';
import type { Registry } from '../../registry.ts';
import { requireWebhook } from '../lock-webhook.ts';

const batchMax = 1_000;

/**
 * Redelivers, in order, all deliveries of a webhook that were queued at or after a time, including delivered ones.
 * Excludes events that were never queued for it, and pruned deliveries. Returns their number, without those that are
 * due for the first time. Refuses with `invalid_content` or `webhook_not_found`.
 */
export async function redeliverSince(
  { storage, now: clock }: Registry,
  { webhookId, redelivery }: { webhookId: string; redelivery: unknown },
): Promise<Redelivered> {
  const { since } = requireValid(Redelivery, redelivery);
  await requireWebhook(storage.reader, webhookId);
  const range = { webhookId, since: Date.parse(since), now: clock(), limit: batchMax };
  // In batches, so that other writes need not wait.
  for (let after = '', deliveriesRedelivered = 0; ; ) {
    const ids = (await listToRedeliver(storage.reader, { ...range, after })).map(({ id }) => id);
    if (ids.length > 0) {
      deliveriesRedelivered += await storage.write((transaction) =>
        updateToPending(transaction, { ids, now: range.now }),
      );
    }
    if (ids.length < batchMax) return { webhookId, deliveriesRedelivered };
    after = ids.at(-1) ?? after;
  }
}
