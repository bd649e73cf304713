import Type from 'typebox';
import { WebhookId } from '../../kernel/ids.ts';
import { entityTag } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag, nullable } from '../../kernel/text.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { type EventData, type EventType, eventTypes } from '../events/event.ts';

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
    etag: EntityTag,
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

/** A webhook without its secret, at this time. */
export function webhookView(webhook: Omit<WebhookRow, 'secret'>, now: number): Webhook {
  const {
    name,
    requests_at_once: requestsAtOnce,
    disabled_reason: reason,
    failing_since: failing,
    previous_secret_until: until,
  } = webhook;
  return {
    id: webhook.id,
    url: webhook.url,
    ...(name !== null && { name }),
    ...(webhook.types !== null && { types: webhook.types.split(' ') }),
    effectiveOnly: webhook.effective_only === 1,
    batch: webhook.batch === 1,
    ...(requestsAtOnce !== null && { requestsAtOnce }),
    enabled: webhook.disabled_at === null,
    ...(reason !== null && { disabledReason: reason }),
    ...(failing !== null && { failingSince: dateTime(failing) }),
    ...(until !== null && until > now && { previousSecretUntil: dateTime(until) }),
    createdAt: dateTime(webhook.created_at),
    updatedAt: dateTime(webhook.updated_at),
    etag: webhookTag(webhook),
  };
}

/** The `ETag` of a webhook. It does not depend on the outcome of deliveries, or on the secrets, whose change has a time. */
export function webhookTag({
  failing_since: _,
  previous_secret: __,
  ...webhook
}: Omit<WebhookRow, 'secret'> & { secret?: string }): string {
  const { secret: ___, ...stored } = webhook;
  return entityTag(stored);
}

/** A webhook in events: without its address, which may contain a secret, and without its signing secrets. */
export function webhookEventData(webhook: Omit<WebhookRow, 'secret'>): EventData['webhook.created']['after'] {
  return {
    name: webhook.name,
    types: webhook.types?.split(' ') ?? null,
    effectiveOnly: webhook.effective_only === 1,
    batch: webhook.batch === 1,
    requestsAtOnce: webhook.requests_at_once,
    enabled: webhook.disabled_at === null,
    ...(webhook.disabled_reason !== null && { disabledReason: webhook.disabled_reason }),
  };
}
