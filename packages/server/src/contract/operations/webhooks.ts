import { pageOf, totalPageOf } from '../page.ts';
import {
  Delivery,
  DeliveryDetails,
  DeliveryQuery,
  NewWebhook,
  Redelivered,
  Redelivery,
  Webhook,
  WebhookQuery,
  WebhookUpdate,
  WebhookWithSecret,
} from '../webhook.ts';
import type { OperatorOperation } from './operation.ts';

const webhooks = '/operator/v1/webhooks';
const webhook = `${webhooks}/:id` as const;

const one = { response: Webhook, scope: 'admin', refusals: ['webhook_not_found'] } as const;

/** Where events are sent. */
export const webhookOperations = {
  listWebhooks: {
    method: 'GET',
    path: webhooks,
    summary: 'List webhooks, in the order of their ids',
    scope: 'admin',
    query: WebhookQuery,
    response: totalPageOf(Webhook, 'Webhook'),
  },
  createWebhook: {
    method: 'POST',
    path: webhooks,
    summary: 'Create a webhook',
    description:
      'Events that are recorded from now on are sent to it. Its secret is in this response and in no later one: a repeat with the same `Idempotency-Key` gets 409 with the id of the webhook.',
    scope: 'admin',
    body: NewWebhook,
    creates: true,
    response: WebhookWithSecret,
    refusals: ['webhook_created'],
  },
  showWebhook: {
    ...one,
    method: 'GET',
    path: webhook,
    summary: 'Show a webhook, without its secret',
  },
  updateWebhook: {
    ...one,
    method: 'PATCH',
    path: webhook,
    summary: 'Change a webhook',
    description:
      'What is pending goes to the new address too. Other types hold for events that are recorded from now on.',
    body: WebhookUpdate,
  },
  deleteWebhook: {
    ...one,
    method: 'DELETE',
    path: webhook,
    summary: 'Delete a webhook',
    description: 'With all its deliveries, also those that are pending.',
  },
  rotateWebhookSecret: {
    ...one,
    method: 'POST',
    path: `${webhook}/rotate`,
    summary: 'Give a webhook a new secret',
    description:
      'The secret is in this response and in no later one, except for a repeat with the same `Idempotency-Key`. The previous secret also signs for 24 hours; older ones no longer do.',
    response: WebhookWithSecret,
    refusals: ['webhook_not_found', 'secret_replaced'],
  },
  enableWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/enable`,
    summary: 'Enable a webhook',
    description: 'What was pending when it was disabled is sent. What was recorded since is not.',
  },
  disableWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/disable`,
    summary: 'Disable a webhook: nothing more is sent to it',
  },
  testWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/test`,
    summary: 'Send a webhook an event to try it',
    description:
      'The event is `webhook.tested`; it goes to this webhook only, regardless of its types, and waits for no other delivery. The response is its delivery; the list of deliveries shows the outcome.',
    response: Delivery,
    refusals: ['webhook_not_found', 'webhook_disabled'],
  },
  listDeliveries: {
    ...one,
    method: 'GET',
    path: `${webhook}/deliveries`,
    summary: 'List the deliveries of a webhook, newest first',
    query: DeliveryQuery,
    response: pageOf(Delivery, 'Delivery'),
  },
  redeliverSince: {
    ...one,
    method: 'POST',
    path: `${webhook}/redeliver`,
    summary: 'Make all deliveries of a webhook since a time again',
    description:
      'Those that were delivered too, or only those in one state, in their order, each with all its attempts. What was never queued for the webhook, or has been pruned, is not among them.',
    body: Redelivery,
    response: Redelivered,
  },
  showDelivery: {
    method: 'GET',
    path: '/operator/v1/deliveries/:id',
    summary: 'Show a delivery with its last request and response',
    description: 'Without the signature and other secrets. Of the response a part is stored.',
    scope: 'admin',
    response: DeliveryDetails,
    refusals: ['delivery_not_found'],
  },
  redeliver: {
    method: 'POST',
    path: '/operator/v1/deliveries/:id/redeliver',
    summary: 'Make a delivery again',
    description: 'It is due now with all its attempts, regardless of its status.',
    scope: 'admin',
    response: Delivery,
    refusals: ['delivery_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
