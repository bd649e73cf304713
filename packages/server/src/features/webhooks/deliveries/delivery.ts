import Type from 'typebox';
import { DeliveryId, EventId, WebhookId } from '../../../kernel/ids.ts';
import { entityTag } from '../../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag } from '../../../kernel/text.ts';
import type { DeliveryRow } from '../../../storage/tables.ts';

const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export const DeliveryState = Type.Unsafe<(typeof deliveryStates)[number]>({
  type: 'string',
  enum: deliveryStates,
  description: '`pending`: waiting for an attempt. `failed`: its last attempt failed.',
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
    updatedAt: Type.String({
      ...DateTime,
      description: 'When it was queued, redelivered, attempted or finished, whichever was last.',
    }),
    etag: EntityTag,
    nextAttemptAt: Type.Optional(
      Type.String({
        ...DateTime,
        description:
          'The earliest time of the next attempt of a pending delivery, which also waits for the deliveries ahead of it.',
      }),
    ),
    waitsFor: Type.Optional(
      Type.Object(
        {
          id: DeliveryId,
          eventType: Type.String({ examples: ['app.updated'] }),
          attempts: Type.Integer({ minimum: 1, description: 'How often it has failed.' }),
          nextAttemptAt: DateTime,
        },
        { description: 'The failed delivery ahead of a pending one, which is retried first.' },
      ),
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

/** What blocks a webhook. */
export const WebhookBacklog = Type.Object(
  {
    webhookId: WebhookId,
    blocked: Type.Array(
      Type.Object({
        delivery: Delivery,
        waiting: Type.Integer({
          minimum: 0,
          description: 'The number of deliveries that wait for it, counted up to 1,000.',
        }),
      }),
      { description: 'The failed deliveries that are retried before all later ones of their queue, oldest first.' },
    ),
    isComplete: Type.Boolean({ description: 'Whether `blocked` names every blocked queue.' }),
  },
  { $id: 'WebhookBacklog', description: 'The failed deliveries that others of a webhook wait for.' },
);
export type WebhookBacklog = Type.Static<typeof WebhookBacklog>;

type DeliveryWithType = DeliveryRow & { type: string };

/** A delivery with the type of its event, and the first pending delivery of its queue if that is known. */
export function deliveryView(delivery: DeliveryWithType, head?: DeliveryWithType): Delivery {
  const { attempted_at: attempted, finished_at: finished, response_status: status, response_body: body } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhook_id,
    eventId: delivery.event_id,
    eventType: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    createdAt: dateTime(delivery.created_at),
    updatedAt: dateTime(updatedAt(delivery)),
    etag: deliveryTag(delivery),
    ...(delivery.state === 'pending' && { nextAttemptAt: dateTime(delivery.due_at) }),
    ...(head &&
      waitsFor(delivery, head) && {
        waitsFor: {
          id: head.id,
          eventType: head.type,
          attempts: head.attempts,
          nextAttemptAt: dateTime(head.due_at),
        },
      }),
    ...(attempted !== null && { attemptedAt: dateTime(attempted) }),
    ...(finished !== null && { finishedAt: dateTime(finished) }),
    ...((status !== null || body !== null) && {
      response: { ...(status !== null && { status }), ...(body !== null && { body }) },
    }),
  };
}

/** Whether it waits for the next attempt of the head of its queue. The rest of a failed batch is sent with it. */
function waitsFor({ id, state, attempts, sent_with: batch }: DeliveryRow, head: DeliveryRow): boolean {
  const isOfBatch = attempts === head.attempts && batch === head.id;
  return state === 'pending' && id !== head.id && head.attempts > 0 && !isOfBatch;
}

/** The `ETag` of a delivery. It does not depend on the deliveries ahead of it. */
export function deliveryTag(delivery: DeliveryWithType & { head?: string | null }): string {
  const { type: _, head: __, ...stored } = delivery;
  return entityTag(stored);
}

/** Without attempts, a delivery is due since it was queued or redelivered. */
function updatedAt({ attempts, due_at: dueAt, ...delivery }: DeliveryRow): number {
  const { created_at: created, attempted_at: attempted, finished_at: finished } = delivery;
  return Math.max(created, finished ?? created, attempts === 0 ? dueAt : (attempted ?? created));
}
