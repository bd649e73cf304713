import { check } from '../../../contract/check.ts';
import { type Redelivered, Redelivery } from '../../../contract/webhook.ts';
import { listToRedeliver, updateToPending } from '../../../storage/queries/deliveries.ts';
import { throwIfInvalid } from '../../failure.ts';
import type { Registry } from '../../registry.ts';
import { requireWebhook } from '../lock-webhook.ts';

const batchMax = 1_000;

/**
 * Makes all deliveries of a webhook again that were queued at this time or later, those that were delivered too, in
 * their order. What was never queued for it, or has been pruned, is not among them. Answers how many; those that are
 * due already, for the first time, are not counted. Refuses with `invalid_content` or `webhook_not_found`.
 */
export async function redeliverSince(
  { storage, now: clock }: Registry,
  { webhookId, redelivery }: { webhookId: string; redelivery: unknown },
): Promise<Redelivered> {
  throwIfInvalid(check(Redelivery, redelivery));
  await requireWebhook(storage.reader, webhookId);
  const asked = { webhookId, since: Date.parse((redelivery as Redelivery).since), now: clock(), limit: batchMax };
  // A few at a time, so that other writes wait for none of it.
  for (let after = '', deliveriesRedelivered = 0; ; ) {
    const ids = (await listToRedeliver(storage.reader, { ...asked, after })).map(({ id }) => id);
    if (ids.length > 0) {
      deliveriesRedelivered += await storage.write((transaction) =>
        updateToPending(transaction, { ids, now: asked.now }),
      );
    }
    if (ids.length < batchMax) return { webhookId, deliveriesRedelivered };
    after = ids.at(-1) ?? after;
  }
}
