import { dateTime } from '../../../kernel/date-time.ts';
import { Failure } from '../../../kernel/failure.ts';
import type { DeliveryRow } from '../../../storage/tables.ts';
import type { Delivery } from '../webhook.ts';

/** A delivery with the type of its event. */
export function deliveryView(delivery: DeliveryRow & { type: string }): Delivery {
  const { attempted_at: attempted, finished_at: finished, response_status: status, response_body: body } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhook_id,
    eventId: delivery.event_id,
    eventType: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    createdAt: dateTime(delivery.created_at),
    ...(delivery.state === 'pending' && { nextAttemptAt: dateTime(delivery.due_at) }),
    ...(attempted !== null && { attemptedAt: dateTime(attempted) }),
    ...(finished !== null && { finishedAt: dateTime(finished) }),
    ...((status !== null || body !== null) && {
      response: { ...(status !== null && { status }), ...(body !== null && { body }) },
    }),
  };
}

export function deliveryNotFound(id: string): Failure {
  return new Failure('delivery_not_found', `No delivery has the id ${id}. It may have been pruned. Check the id.`);
}
