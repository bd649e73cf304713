import Type from 'typebox';
import { type EventType, eventTypes } from './event.ts';
import { pageParameters } from './page.ts';
import { DateTime, nullable } from './text.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  format: 'http-address',
  description: 'Where its events are sent by POST. Whoever reads it may be able to send there too.',
  examples: ['https://hooks.example.com/app-registry'],
});
const Name = Type.String({ minLength: 1, maxLength: 100, format: 'single-line', examples: ['Billing'] });
const wantedTypes = {
  description: 'The types of the events that it gets; without it, those of every type.',
  examples: [['app.approved', 'app.revoked']],
};
const Types = Type.Array(Type.Unsafe<EventType>({ type: 'string', enum: eventTypes }), {
  minItems: 1,
  uniqueItems: true,
  ...wantedTypes,
});

/** A webhook without its secret. */
export const Webhook = Type.Object(
  {
    id: Type.String({ examples: ['webhook_01jq3w5n3kh7wt0b2x8q4p1e6f'] }),
    url: Url,
    name: Type.Optional(Name),
    // An older client meets types that it does not know.
    types: Type.Optional(Type.Array(Type.String(), wantedTypes)),
    enabled: Type.Boolean(),
    disabledReason: Type.Optional(Type.String({ description: 'Why, when the registry has disabled it by itself.' })),
    failingSince: Type.Optional(
      Type.String({
        ...DateTime,
        description: 'Since when every delivery has failed; absent when the last one did not.',
      }),
    ),
    previousSecretUntil: Type.Optional(
      Type.String({ ...DateTime, description: 'Until when the secret before this one signs too.' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Webhook', description: 'Where events are sent, without the secret that signs them.' },
);
export type Webhook = Type.Static<typeof Webhook>;

/** The only answers that hold its secret: when it is made, and when it is rotated. */
export const WebhookWithSecret = Type.Object(
  {
    ...Webhook.properties,
    secret: Type.String({
      description: 'Signs what is sent (Standard Webhooks). Shown this once.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { $id: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>;

/** What creates a webhook. */
export const NewWebhook = Type.Object(
  { url: Url, name: Type.Optional(Name), types: Type.Optional(Types) },
  { $id: 'NewWebhook', additionalProperties: false },
);
export type NewWebhook = Type.Static<typeof NewWebhook>;

/** Absent leaves a member alone; null removes the name, and makes it get events of every type. */
export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(Url),
    name: Type.Optional(nullable(Name)),
    types: Type.Optional(nullable(Types)),
  },
  { $id: 'WebhookUpdate', additionalProperties: false },
);
export type WebhookUpdate = Type.Static<typeof WebhookUpdate>;

/** What asks for a page of webhooks. */
export const WebhookQuery = Type.Object(pageParameters, { additionalProperties: false });

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
const DeliveryState = Type.Unsafe<(typeof deliveryStates)[number]>({
  type: 'string',
  enum: deliveryStates,
  description: '`pending`: it waits for an attempt. `failed`: its last attempt has failed.',
});

/** One event for one webhook, and what became of it. */
export const Delivery = Type.Object(
  {
    id: Type.String({ examples: ['delivery_01jq3w6p4mj8xv1c3y9r5q2f7g'] }),
    webhookId: Type.String({ examples: ['webhook_01jq3w5n3kh7wt0b2x8q4p1e6f'] }),
    eventId: Type.String({ examples: ['event_01jq3w3k1hf5tr8z0v6n2m9c4d'] }),
    eventType: Type.String({ examples: ['app.approved'] }),
    state: DeliveryState,
    attempts: Type.Integer({ minimum: 0, description: 'How many were made since it was queued or redelivered.' }),
    createdAt: DateTime,
    nextAttemptAt: Type.Optional(
      Type.String({ ...DateTime, description: 'Of a pending one: not before then, nor before those ahead of it.' }),
    ),
    attemptedAt: Type.Optional(Type.String({ ...DateTime, description: 'When the last attempt was made.' })),
    finishedAt: Type.Optional(Type.String({ ...DateTime, description: 'When it was delivered or given up.' })),
    answerStatus: Type.Optional(Type.Integer({ description: 'The HTTP status of the last answer.', examples: [200] })),
    answer: Type.Optional(
      Type.String({ description: 'The beginning of the last answer, or why there was none.', examples: ['thanks'] }),
    ),
  },
  { $id: 'Delivery', description: 'One event for one webhook, and what became of it.' },
);
export type Delivery = Type.Static<typeof Delivery>;

/** What asks for deliveries of a webhook. */
export const DeliveryQuery = Type.Object(
  { state: Type.Optional(DeliveryState), ...pageParameters },
  { additionalProperties: false },
);
export type DeliveryQuery = Type.Static<typeof DeliveryQuery>;

/** What makes deliveries again. */
export const Redelivery = Type.Object(
  { since: Type.String({ ...DateTime, description: 'Every delivery that was queued then or later is made again.' }) },
  { $id: 'Redelivery', additionalProperties: false },
);
export type Redelivery = Type.Static<typeof Redelivery>;

/** How many deliveries are made again. */
export const Redelivered = Type.Object(
  { webhookId: Type.String(), deliveriesRedelivered: Type.Integer({ minimum: 0 }) },
  { $id: 'Redelivered', description: 'How many deliveries are made again.' },
);
export type Redelivered = Type.Static<typeof Redelivered>;
