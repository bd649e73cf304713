import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getDelivery } from './deliveries/get-delivery.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { redeliverSince } from './deliveries/redeliver-since.ts';
import { getWebhook } from './get-webhook.ts';
import { listWebhooks } from './list-webhooks.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { setWebhookEnabled } from './set-webhook-enabled.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';
import type { webhookOperations } from './webhook-operations.ts';

/** Where events are sent. */
export function webhookHandlers(registry: Registry): Handlers<typeof webhookOperations> {
  return {
    listWebhooks: ({ query }) => listWebhooks(registry, query),
    createWebhook: ({ caller, body }) => createWebhook(registry, caller, body),
    getWebhook: ({ params: { id } }) => getWebhook(registry, id),
    updateWebhook: ({ caller, params: { id }, body }) => updateWebhook(registry, caller, { id, update: body }),
    deleteWebhook: ({ caller, params: { id } }) => deleteWebhook(registry, caller, id),
    rotateWebhookSecret: ({ caller, params: { id } }) => rotateWebhookSecret(registry, caller, id),
    enableWebhook: ({ caller, params: { id } }) => setWebhookEnabled(registry, caller, { id, enabled: true }),
    disableWebhook: ({ caller, params: { id } }) => setWebhookEnabled(registry, caller, { id, enabled: false }),
    testWebhook: ({ caller, params: { id } }) => testWebhook(registry, caller, id),
    listDeliveries: ({ params: { id }, query }) => listDeliveries(registry, { ...query, webhookId: id }),
    redeliverSince: ({ caller, params: { id }, body }) =>
      redeliverSince(registry, caller, { webhookId: id, redelivery: body }),
    getDelivery: ({ params: { id } }) => getDelivery(registry, id),
    redeliver: ({ caller, params: { id } }) => redeliver(registry, caller, id),
  };
}
