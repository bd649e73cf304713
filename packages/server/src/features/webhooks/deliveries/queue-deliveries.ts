import { newId } from '../../../kernel/type-id.ts';
import type { Connection } from '../../../storage/query.ts';
import type { DeliveryRow, EventRow } from '../../../storage/tables.ts';
import { listEnabledWebhooks } from '../webhook-queries.ts';

/**
 * Queues the deliveries of these events in the transaction of the changes. So webhooks receive exactly the committed
 * changes.
 */
export async function queueDeliveries(transaction: Connection, events: EventRow[]): Promise<void> {
  const webhooks = await listEnabledWebhooks(transaction, {});
  const deliveries = webhooks.flatMap(({ id, types, effective_only }) => {
    const wanted = types?.split(' ');
    return events
      .filter(({ type }) => wanted?.includes(type) ?? true)
      .filter(({ effective }) => effective_only === 0 || effective !== null)
      .map((event) => deliveryOf(event, id));
  });
  if (deliveries.length > 0) await transaction.insertNew('deliveries', deliveries);
}

/** The delivery of an event to a webhook, at the end of its queue. */
export function deliveryOf(event: EventRow, webhookId: string): DeliveryRow {
  return {
    id: newId('delivery'),
    webhook_id: webhookId,
    event_id: event.id,
    queue: event.app_id ?? event.subject_id,
    state: 'pending',
    attempts: 0,
    due_at: event.occurred_at,
    created_at: event.occurred_at,
    attempted_at: null,
    finished_at: null,
    response_status: null,
    response_body: null,
    sent_with: null,
  };
}
