import { pageOf } from '../../contract/page.ts';
import {
  Delivery,
  DeliveryQuery,
  NewWebhook,
  Redelivered,
  Redelivery,
  Webhook,
  WebhookQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from '../../contract/webhook.ts';
import type { Registry } from '../../registry/registry.ts';
import { createWebhook } from '../../registry/webhooks/create-webhook.ts';
import { deleteWebhook } from '../../registry/webhooks/delete-webhook.ts';
import { listDeliveries } from '../../registry/webhooks/deliveries/list-deliveries.ts';
import { redeliver } from '../../registry/webhooks/deliveries/redeliver.ts';
import { redeliverSince } from '../../registry/webhooks/deliveries/redeliver-since.ts';
import { listWebhooks } from '../../registry/webhooks/list-webhooks.ts';
import { rotateWebhookSecret } from '../../registry/webhooks/rotate-webhook-secret.ts';
import { setWebhookEnabled } from '../../registry/webhooks/set-webhook-enabled.ts';
import { showWebhook } from '../../registry/webhooks/show-webhook.ts';
import { testWebhook } from '../../registry/webhooks/test-webhook.ts';
import { updateWebhook } from '../../registry/webhooks/update-webhook.ts';
import type { Operation } from './operation.ts';

const webhooks = '/operator/v1/webhooks';
const webhook = `${webhooks}/:id`;

const one = { answer: Webhook, scope: 'admin', refusals: ['webhook_not_found'] } satisfies Partial<Operation>;

/** Where events are sent. */
export function webhookOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: webhooks,
      id: 'listWebhooks',
      summary: 'List webhooks, in the order of their ids',
      scope: 'admin',
      query: WebhookQuery,
      answer: pageOf(Webhook, 'Webhook'),
      handle: ({ query }) => listWebhooks(registry, query),
    },
    {
      method: 'POST',
      path: webhooks,
      id: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events that are recorded from now on are sent to it. Its secret is in this answer and in no later one: a repeat with the same `Idempotency-Key` is answered 409 with the id of the webhook.',
      scope: 'admin',
      body: NewWebhook,
      creates: true,
      answer: WebhookWithSecret,
      refusals: ['webhook_created'],
      handle: ({ caller, body }) => createWebhook(registry, caller, body),
    },
    {
      ...one,
      method: 'GET',
      path: webhook,
      id: 'showWebhook',
      summary: 'Show a webhook, without its secret',
      handle: ({ params: { id } }) => showWebhook(registry, id),
    },
    {
      ...one,
      method: 'PATCH',
      path: webhook,
      id: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'What is pending goes to the new address too. Other types hold for events that are recorded from now on.',
      body: WebhookUpdate,
      handle: ({ caller, params: { id }, body }) => updateWebhook(registry, caller, { id, update: body }),
    },
    {
      ...one,
      method: 'DELETE',
      path: webhook,
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With all its deliveries, also those that are pending.',
      handle: ({ caller, params: { id } }) => deleteWebhook(registry, caller, id),
    },
    ...webhookSteps(registry),
    ...deliveryOperations(registry),
  ];
}

function webhookSteps(registry: Registry): Operation[] {
  return [
    {
      ...one,
      method: 'POST',
      path: `${webhook}/rotate`,
      id: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret',
      description:
        'The secret is in this answer and in no later one, but that to a repeat with the same `Idempotency-Key`. The one before signs too for 24 hours; one before that no longer does.',
      once: true,
      answer: WebhookWithSecret,
      refusals: ['webhook_not_found', 'secret_replaced'],
      handle: ({ caller, params: { id } }) => rotateWebhookSecret(registry, caller, id),
    },
    {
      ...one,
      method: 'POST',
      path: `${webhook}/enable`,
      id: 'enableWebhook',
      summary: 'Enable a webhook',
      description: 'What was pending when it was disabled is sent. What was recorded since is not.',
      handle: ({ caller, params: { id } }) => setWebhookEnabled(registry, caller, { id, enabled: true }),
    },
    {
      ...one,
      method: 'POST',
      path: `${webhook}/disable`,
      id: 'disableWebhook',
      summary: 'Disable a webhook: nothing more is sent to it',
      handle: ({ caller, params: { id } }) => setWebhookEnabled(registry, caller, { id, enabled: false }),
    },
    {
      ...one,
      method: 'POST',
      path: `${webhook}/test`,
      id: 'testWebhook',
      summary: 'Send a webhook an event to try it',
      description:
        'The event is `webhook.tested`; it goes to this webhook alone, whatever types it gets, and waits for no other. The answer is its delivery, which the list of deliveries tells the outcome of.',
      answer: Delivery,
      refusals: ['webhook_not_found', 'webhook_disabled'],
      handle: ({ caller, params: { id } }) => testWebhook(registry, caller, id),
    },
  ];
}

function deliveryOperations(registry: Registry): Operation[] {
  return [
    {
      ...one,
      method: 'GET',
      path: `${webhook}/deliveries`,
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook, newest first',
      query: DeliveryQuery,
      answer: pageOf(Delivery, 'Delivery'),
      handle: ({ params: { id }, query }) => listDeliveries(registry, { ...query, webhookId: id }),
    },
    {
      ...one,
      method: 'POST',
      path: `${webhook}/redeliver`,
      id: 'redeliverSince',
      summary: 'Make all deliveries of a webhook since a time again',
      description:
        'Those that were delivered too, in their order, each with all its attempts. What was never queued for the webhook, or has been pruned, is not among them.',
      body: Redelivery,
      answer: Redelivered,
      handle: ({ params: { id }, body }) => redeliverSince(registry, { webhookId: id, redelivery: body }),
    },
    {
      method: 'POST',
      path: '/operator/v1/deliveries/:id/redeliver',
      id: 'redeliver',
      summary: 'Make a delivery again',
      description: 'It is due now, and has all its attempts before it, whatever became of it.',
      scope: 'admin',
      answer: Delivery,
      refusals: ['delivery_not_found'],
      handle: ({ params: { id } }) => redeliver(registry, id),
    },
  ];
}
