import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { pageOf, totalPageOf } from '../../kernel/page-parameters.ts';
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
} from './webhook.ts';

const webhooks = '/operator/v1/webhooks';
const webhook = `${webhooks}/:id` as const;

const one = { response: Webhook, scope: 'admin', refusals: ['webhook_not_found'] } as const;

/** Where events are sent. */
export const webhookOperations = {
  listWebhooks: {
    method: 'GET',
    path: webhooks,
    summary: 'List webhooks, ordered by id',
    scope: 'admin',
    query: WebhookQuery,
    response: totalPageOf(Webhook, 'Webhook'),
  },
  createWebhook: {
    method: 'POST',
    path: webhooks,
    summary: 'Create a webhook',
    description:
      'The webhook receives events recorded from now on. Its secret is only in this response: a retry with the same `Idempotency-Key` receives 409 with the id of the webhook.',
    scope: 'admin',
    body: NewWebhook,
    creates: true,
    response: WebhookWithSecret,
    refusals: ['webhook_created'],
  },
  getWebhook: {
    ...one,
    method: 'GET',
    path: webhook,
    summary: 'Show a webhook, without its secret',
  },
  updateWebhook: {
    ...one,
    method: 'PATCH',
    path: webhook,
    summary: 'Update a webhook',
    description: 'Pending deliveries also go to the new URL. A change of types applies to events recorded from now on.',
    body: WebhookUpdate,
  },
  deleteWebhook: {
    ...one,
    method: 'DELETE',
    path: webhook,
    summary: 'Delete a webhook',
    description: 'Deletes all its deliveries too, including pending ones.',
  },
  rotateWebhookSecret: {
    ...one,
    method: 'POST',
    path: `${webhook}/rotate`,
    summary: 'Rotate the secret of a webhook',
    description:
      'The new secret is only in this response, and in that to a retry with the same `Idempotency-Key`. The previous secret also signs for 24 hours; older ones no longer do.',
    response: WebhookWithSecret,
    refusals: ['webhook_not_found', 'secret_replaced'],
  },
  enableWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/enable`,
    summary: 'Enable a webhook',
    description: 'Sends the deliveries that were pending when it was disabled, but no events recorded since.',
  },
  disableWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/disable`,
    summary: 'Disable a webhook, which then receives no events',
  },
  testWebhook: {
    ...one,
    method: 'POST',
    path: `${webhook}/test`,
    summary: 'Send a test event to a webhook',
    description:
      'Sends `webhook.tested` to this webhook only, regardless of its types and without waiting for other deliveries. The response is the delivery; the list of deliveries shows the outcome.',
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
    summary: 'Redeliver all deliveries of a webhook since a time',
    description:
      'Includes delivered ones, unless `state` selects others. They are sent in their order, each with the full number of attempts. Events that were never queued for the webhook, or whose deliveries were pruned, are not included.',
    body: Redelivery,
    response: Redelivered,
  },
  getDelivery: {
    method: 'GET',
    path: '/operator/v1/deliveries/:id',
    summary: 'Show a delivery with its last request and response',
    description: 'The signature and other secrets are not included. Only a part of the response is stored.',
    scope: 'admin',
    response: DeliveryDetails,
    refusals: ['delivery_not_found'],
  },
  redeliver: {
    method: 'POST',
    path: '/operator/v1/deliveries/:id/redeliver',
    summary: 'Redeliver a delivery',
    description: 'Sends it again immediately, regardless of its state, with the full number of attempts.',
    scope: 'admin',
    response: Delivery,
    refusals: ['delivery_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
