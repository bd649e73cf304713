import Type from 'typebox';
import { DeliveryId, EventId, WebhookId } from '../../kernel/ids.ts';
import { pageParameters, totalParameter } from '../../kernel/page-parameters.ts';
import { DateTime, nullable } from '../../kernel/text.ts';
import { type EventType, eventTypes } from '../events/event.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  format: 'http-address',
  description:
    'The URL that receives events by POST. It may contain a secret: anyone who knows it may be able to send requests to it.',
  examples: ['https://hooks.example.com/app-registry'],
});
const Name = Type.String({ minLength: 1, maxLength: 100, format: 'single-line', examples: ['Billing'] });
const wantedTypes = {
  description: 'The event types that it receives. Absent: all types.',
  examples: [['app.approved', 'app.revoked']],
};
const Types = Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: eventTypes }), {
  minItems: 1,
  uniqueItems: true,
  ...wantedTypes,
});

const effectiveOnly = {
  description:
    'Whether it receives only events that carry `effective`: changes of what a platform may act on. Otherwise it receives every event of its types.',
};
const batch = {
  description:
    'Whether events are sent in batches: each request has an array of 1 to 100 events of one app in order, up to 1 MiB. Otherwise each request has one event.',
};
/** From each process, to a webhook that does not say how many. */
export const defaultRequestsAtOnce = 100;
const requestsAtOnce = {
  minimum: 1,
  maximum: 200,
  description: `The maximum number of concurrent requests from each server process. Absent: ${defaultRequestsAtOnce}.`,
  examples: [10],
};

/** A webhook without its secret. */
export const Webhook = Type.Object(
  {
    id: WebhookId,
    url: Url,
    name: Type.Optional(Name),
    // Older clients may receive types that they do not know.
    types: Type.Optional(Type.Array(Type.String(), wantedTypes)),
    effectiveOnly: Type.Boolean(effectiveOnly),
    batch: Type.Boolean(batch),
    requestsAtOnce: Type.Optional(Type.Integer(requestsAtOnce)),
    enabled: Type.Boolean(),
    disabledReason: Type.Optional(Type.String({ description: 'Why the registry disabled it automatically.' })),
    failingSince: Type.Optional(
      Type.String({
        ...DateTime,
        description: 'When deliveries started to fail; absent if the last one succeeded.',
      }),
    ),
    previousSecretUntil: Type.Optional(
      Type.String({ ...DateTime, description: 'The time until which the previous secret also signs.' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Webhook', description: 'A webhook that receives events, without its secret.' },
);
export type Webhook = Type.Static<typeof Webhook>;

/** The only responses that contain its secret: those of its creation and of a rotation. */
export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({
      description: 'The secret that signs its requests (Standard Webhooks). Shown only once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { $id: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>;

/** The request to create a webhook. */
export const NewWebhook = Type.Object(
  {
    url: Url,
    name: Type.Optional(Name),
    types: Type.Optional(Types),
    effectiveOnly: Type.Optional(Type.Boolean({ ...effectiveOnly, default: false })),
    batch: Type.Optional(Type.Boolean({ ...batch, default: false })),
    requestsAtOnce: Type.Optional(Type.Integer(requestsAtOnce)),
  },
  { $id: 'NewWebhook', additionalProperties: false },
);
export type NewWebhook = Type.Static<typeof NewWebhook>;

/** An absent field stays unchanged. Null clears the name, selects events of every type, and restores a default. */
export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(Url),
    name: Type.Optional(nullable(Name)),
    types: Type.Optional(nullable(Types)),
    effectiveOnly: Type.Optional(Type.Boolean(effectiveOnly)),
    batch: Type.Optional(Type.Boolean(batch)),
    requestsAtOnce: Type.Optional(nullable(Type.Integer(requestsAtOnce))),
  },
  { $id: 'WebhookUpdate', additionalProperties: false },
);
export type WebhookUpdate = Type.Static<typeof WebhookUpdate>;

/** The query of a page of webhooks. */
export const WebhookQuery = Type.Object({ ...totalParameter, ...pageParameters }, { additionalProperties: false });

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
const DeliveryState = Type.Unsafe<(typeof deliveryStates)[number]>({
  type: 'string',
  enum: deliveryStates,
  description: 'Only deliveries in this state. `pending`: waiting for an attempt. `failed`: its last attempt failed.',
});

const DeliveryResponse = Type.Object(
  {
    status: Type.Optional(
      Type.Integer({ description: 'The HTTP status. Absent if there was no response.', examples: [200] }),
    ),
    body: Type.Optional(
      Type.String({
        description: 'The beginning of the body. Without a status, the reason why there was no response.',
        examples: ['thanks'],
      }),
    ),
  },
  { $id: 'DeliveryResponse', description: 'The response to the last attempt, or why there was none.' },
);

/** One event for one webhook, and its outcome. */
export const Delivery = Type.Object(
  {
    id: DeliveryId,
    webhookId: WebhookId,
    eventId: EventId,
    eventType: Type.String({ examples: ['app.approved'] }),
    state: DeliveryState,
    attempts: Type.Integer({ minimum: 0, description: 'The number of attempts since it was queued or redelivered.' }),
    createdAt: DateTime,
    nextAttemptAt: Type.Optional(
      Type.String({
        ...DateTime,
        description:
          'The earliest time of the next attempt of a pending delivery, which also waits for the deliveries ahead of it.',
      }),
    ),
    attemptedAt: Type.Optional(Type.String({ ...DateTime, description: 'The time of the last attempt.' })),
    finishedAt: Type.Optional(Type.String({ ...DateTime, description: 'When it was delivered, or finally failed.' })),
    response: Type.Optional(DeliveryResponse),
  },
  { $id: 'Delivery', description: 'The delivery of one event to one webhook, and its outcome.' },
);
export type Delivery = Type.Static<typeof Delivery>;

const HeaderField = Type.Object(
  { name: Type.String({ examples: ['content-type'] }), value: Type.String({ examples: ['application/json'] }) },
  { $id: 'HeaderField', description: 'A header field of a request or response.' },
);

const DeliveryRequest = Type.Object(
  {
    url: Type.String({
      description: 'The URL, without user name, password and query, which may be secret.',
      examples: ['https://hooks.example.com/app-registry'],
    }),
    headers: Type.Array(HeaderField, { description: 'The header fields, without the signature, which is not stored.' }),
    body: Type.String({
      description: 'The body, recreated from the stored events as this release sends them.',
      examples: ['{"id":"event_01jq3w5n3kf7wt0b2x8q4p1e6f","type":"webhook.tested"}'],
    }),
    sentAt: DateTime,
    durationMs: Type.Integer({
      minimum: 0,
      description: 'The time until the response or failure, in milliseconds.',
      examples: [120],
    }),
  },
  { $id: 'DeliveryRequest', description: 'The request of the last attempt.' },
);

const DeliveryResponseDetails = Type.Object(
  {
    status: DeliveryResponse.properties.status,
    headers: Type.Optional(
      Type.Array(HeaderField, {
        description:
          'The header fields, up to 2,048 characters. Values that may be secret, such as cookies, are not stored.',
      }),
    ),
    body: Type.Optional(
      Type.String({
        description:
          'The body, up to 4 KiB, with control characters replaced. Absent if it is not UTF-8 text. Without a status, the reason why there was no response.',
        examples: ['thanks'],
      }),
    ),
    isBinary: Type.Optional(
      Type.Boolean({ description: 'Whether the body is not UTF-8 text. Such a body is not stored.' }),
    ),
    isTruncated: Type.Optional(Type.Boolean({ description: 'Whether the stored header or body is truncated.' })),
  },
  {
    $id: 'DeliveryResponseDetails',
    description:
      'The response to the last attempt, or why there was none. If only its beginning is stored, it has only a status and a body.',
  },
);

/** A delivery with its last request and response. */
export const DeliveryDetails = Type.Object(
  {
    ...Delivery.properties,
    request: Type.Optional(DeliveryRequest),
    response: Type.Optional(DeliveryResponseDetails),
  },
  {
    $id: 'DeliveryDetails',
    description:
      'A delivery with the request and the response of its last attempt. Both are absent before the first attempt. Once the first delivery of the same batch is redelivered alone, the request is absent and the response has only a status and the beginning of the body.',
  },
);
export type DeliveryDetails = Type.Static<typeof DeliveryDetails>;

/** The query of the deliveries of a webhook. */
export const DeliveryQuery = Type.Object(
  { state: Type.Optional(DeliveryState), ...pageParameters },
  { additionalProperties: false },
);
export type DeliveryQuery = Type.Static<typeof DeliveryQuery>;

/** The request to repeat deliveries. */
export const Redelivery = Type.Object(
  {
    since: Type.String({ ...DateTime, description: 'Redelivers every delivery queued at this time or later.' }),
    state: Type.Optional({
      ...DeliveryState,
      description: 'Only deliveries in this state. Absent: all, including delivered ones.',
    }),
  },
  { $id: 'Redelivery', additionalProperties: false },
);
export type Redelivery = Type.Static<typeof Redelivery>;

/** The number of deliveries that are repeated. */
export const Redelivered = Type.Object(
  { webhookId: WebhookId, deliveriesRedelivered: Type.Integer({ minimum: 0 }) },
  { $id: 'Redelivered', description: 'The number of deliveries that are sent again.' },
);
export type Redelivered = Type.Static<typeof Redelivered>;
