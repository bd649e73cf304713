import { requireValid } from '../../../kernel/failure.ts';
import { findFirstResult, writeIdempotently } from '../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import type { Connection } from '../../../storage/query.ts';
import { requireWebhook } from '../lock-webhook.ts';
import { type Redelivered, Redelivery } from '../webhook.ts';
import { listToRedeliver, updateToPending } from './delivery-queries.ts';

const batchMax = 1_000;

/**
 * Redelivers, in order, all deliveries of a webhook that were queued at or after a time, including delivered ones, or
 * only those in one state.
 * Excludes events that were never queued for it, and pruned deliveries. Returns their number, without those that are
 * due for the first time. A retry of one that was interrupted redelivers the rest, and counts only that. Refuses with
 * `invalid_content` or `webhook_not_found`.
 */
export async function redeliverSince(
  registry: Registry,
  caller: Caller,
  { webhookId, redelivery }: { webhookId: string; redelivery: unknown },
): Promise<Redelivered> {
  const { storage } = registry;
  const { since, state } = requireValid(Redelivery, redelivery);
  const content = ['redeliverSince', webhookId, since, ...(state === undefined ? [] : [state])];
  const first = await findFirstResult<Redelivered>(registry, caller, { content });
  if (first) return first;
  await requireWebhook(storage.reader, webhookId);
  const range = { webhookId, since: Date.parse(since), state, now: registry.now(), limit: batchMax };
  // In batches, so that other writes need not wait. The key is stored with the last one.
  for (let after = '', redelivered = 0; ; ) {
    const ids = (await listToRedeliver(storage.reader, { ...range, after })).map(({ id }) => id);
    const redeliverBatch = async (transaction: Connection) =>
      ids.length === 0 ? 0 : updateToPending(transaction, { ids, now: range.now });
    if (ids.length < batchMax) {
      const work = async (transaction: Connection) => ({
        webhookId,
        deliveriesRedelivered: redelivered + (await redeliverBatch(transaction)),
      });
      return writeIdempotently(registry, caller, { content, work });
    }
    redelivered += await storage.write(redeliverBatch);
    after = ids.at(-1) ?? after;
  }
}
