import { requireValid } from '../../../kernel/failure.ts';
import { readPage } from '../../../kernel/page.ts';
import type { PageOf } from '../../../kernel/page-parameters.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { requireWebhook } from '../lock-webhook.ts';
import { type Delivery, DeliveryQuery } from '../webhook.ts';
import { listDeliveryPage } from './delivery-queries.ts';
import { deliveryView } from './delivery-view.ts';

/**
 * A page of the deliveries of a webhook, optionally in one state, newest first. Refuses with `invalid_content` or
 * `webhook_not_found`.
 */
export async function listDeliveries(
  { storage }: Registry,
  { webhookId, ...input }: { webhookId: string } & Record<string, unknown>,
): Promise<PageOf<Delivery>> {
  const given = requireValid(DeliveryQuery, input);
  await requireWebhook(storage.reader, webhookId);
  return readPage(given, {
    name: `deliveries of ${webhookId}`,
    read: (request) => listDeliveryPage(storage.reader, { webhookId, state: given.state }, request),
    view: deliveryView,
  });
}
