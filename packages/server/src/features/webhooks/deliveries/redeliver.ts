import { writeIdempotently } from '../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import { isTypeId } from '../../../kernel/type-id.ts';
import type { Delivery } from '../webhook.ts';
import { findDelivery, updateToPending } from './delivery-queries.ts';
import { deliveryNotFound, deliveryView } from './delivery-view.ts';

/**
 * Makes a delivery due now with all attempts ahead, regardless of its state. Later pending deliveries of its queue wait for
 * it; later delivered ones are not repeated. That of a disabled webhook waits until the webhook is enabled. Refuses with
 * `delivery_not_found`.
 */
export async function redeliver(registry: Registry, caller: Caller, id: string): Promise<Delivery> {
  if (!isTypeId(id, 'delivery')) throw deliveryNotFound(id);
  return writeIdempotently(registry, caller, {
    content: ['redeliver', id],
    work: async (transaction) => {
      await updateToPending(transaction, { ids: [id], now: registry.now() });
      const delivery = await findDelivery(transaction, { id });
      if (!delivery) throw deliveryNotFound(id);
      return deliveryView(delivery);
    },
  });
}
