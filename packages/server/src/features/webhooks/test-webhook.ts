import { Failure } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { toEventRow } from '../events/append-event.ts';
import { readEventIds } from '../events/event-ids.ts';
import { insertEvent } from '../events/event-queries.ts';
import { deliveryView } from './deliveries/delivery-view.ts';
import { deliveryOf } from './deliveries/queue-deliveries.ts';
import { lockWebhook } from './lock-webhook.ts';
import type { Delivery } from './webhook.ts';

/**
 * Sends a webhook an event `webhook.tested`, regardless of the types it subscribes to, and no other webhook. It does not wait for
 * other deliveries. Returns the delivery, whose state can be queried later. Refuses with `webhook_not_found` or
 * `webhook_disabled`.
 */
export async function testWebhook(registry: Registry, caller: Caller, id: string): Promise<Delivery> {
  return writeIdempotently(registry, caller, {
    content: ['testWebhook', id],
    work: async (transaction) => {
      const { disabled_at } = await lockWebhook(transaction, id);
      if (disabled_at !== null) throw disabled();
      const change = { caller, at: registry.now(), type: 'webhook.tested', subjectId: id } as const;
      const event = toEventRow(change, await readEventIds(transaction));
      await insertEvent(transaction, event);
      // A separate queue, because an earlier test may await its next attempt.
      const delivery = { ...deliveryOf(event, id), queue: event.id };
      await transaction.insertNew('deliveries', [delivery]);
      return deliveryView({ ...delivery, type: event.type });
    },
  });
}

function disabled(): Failure {
  return new Failure('webhook_disabled', 'The webhook is disabled and receives no events. Enable it first.');
}
