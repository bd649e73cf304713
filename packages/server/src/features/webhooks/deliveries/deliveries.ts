import Type from 'typebox';
import { Failure } from '../../../kernel/failure.ts';
import { findFirstResult, write } from '../../../kernel/idempotency.ts';
import { isTypeId, WebhookId } from '../../../kernel/ids.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter } from '../../../kernel/page.ts';
import { requireUnchanged } from '../../../kernel/revision.ts';
import { DateTime, dateTime } from '../../../kernel/text.ts';
import type { Connection, Reader } from '../../../storage/query.ts';
import type { DeliveryRequestRow, DeliveryRow, EventRow } from '../../../storage/tables.ts';
import { listEventsById } from '../../events/event-queries.ts';
import { requireWebhook } from '../change-webhook.ts';
import { Delivery, DeliveryDetails, DeliveryState, deliveryTag, deliveryView, WebhookBacklog } from './delivery.ts';
import {
  findDelivery,
  findDeliveryForUpdate,
  findDeliveryRequest,
  listDeliveryPage,
  listHeads,
  listHeadsOfBacklog,
  listToRedeliver,
  updateToPending,
} from './delivery-queries.ts';
import { eventBody, type RecordedResponse, requestContent, requestHeaders, signedHeaders } from './delivery-request.ts';
import { listQueueHeads } from './next-delivery-queries.ts';

const scope = 'admin';
const ofWebhook = '/operator/v1/webhooks/:id';
const path = '/operator/v1/deliveries/:id';

const redeliveryBatchMax = 1_000;
/** How many queues a backlog searches for blocked ones, how many of those it names, and how far it counts each. */
const queuesReadMax = 1_000;
const blockedMax = 20;
const waitingMax = 1_000;

const Redelivery = Type.Object(
  {
    since: Type.String({ ...DateTime, description: 'Redelivers every delivery queued at this time or later.' }),
    state: Type.Optional({
      ...DeliveryState,
      description: 'Only deliveries in this state. Absent: all, including delivered ones.',
    }),
  },
  { $id: 'Redelivery', additionalProperties: false },
);

const Redelivered = Type.Object(
  { webhookId: WebhookId, deliveriesRedelivered: Type.Integer({ minimum: 0 }) },
  { $id: 'Redelivered', description: 'The number of deliveries that are sent again.' },
);
type Redelivered = Type.Static<typeof Redelivered>;

const DeliveryQuery = Type.Object(
  { state: Type.Optional(DeliveryState), ...sortParameter(['id'], '-id'), ...pageParameters },
  { additionalProperties: false },
);

const listDeliveries = operation({
  id: 'listDeliveries',
  method: 'GET',
  path: `${ofWebhook}/deliveries`,
  summary: 'List the deliveries of a webhook',
  scope,
  query: DeliveryQuery,
  response: pageOf(Delivery, 'Delivery'),
  refusals: ['webhook_not_found'],
  command: {
    name: 'delivery list',
    description: 'List the deliveries of a webhook, newest first by default, with their state and the last response.',
    arguments: { id: 'the webhook id' },
    options: { state: '<state> only deliveries in this state' },
    columns: ['id', 'state', 'eventType', 'attempts', 'response.status', 'createdAt'],
    examples: ['app-registry delivery list webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --state failed'],
  },
  async run({ registry, params: { id: webhookId }, query }) {
    const { reader } = registry.storage;
    await requireWebhook(reader, webhookId);
    const sorting = sortingOf(query, { id: ['id'] }, '-id');
    return readPage(query, {
      name: `deliveries of ${webhookId}`,
      byDefault: '-id',
      async read(request) {
        const page = await listDeliveryPage(reader, { webhookId, state: query.state }, { ...request, sorting });
        return { ...page, rows: await withHeads(reader, page.rows) };
      },
      view: ({ row, head }) => deliveryView(row, head),
    });
  },
});

const getWebhookBacklog = operation({
  id: 'getWebhookBacklog',
  method: 'GET',
  path: `${ofWebhook}/backlog`,
  summary: 'Get the failed deliveries that others of a webhook wait for',
  description:
    'Names up to 20 blocked queues. Events about one app are delivered in order, so a failed delivery blocks the later ones until it is delivered or given up.',
  scope,
  response: WebhookBacklog,
  refusals: ['webhook_not_found'],
  command: {
    name: 'webhook get-backlog',
    description: 'Show the failed deliveries that others of a webhook wait for, and how many wait.',
    arguments: { id: 'the webhook id' },
    examples: ['app-registry webhook get-backlog webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'],
  },
  async run({ registry, params: { id: webhookId } }) {
    const { reader } = registry.storage;
    await requireWebhook(reader, webhookId);
    const heads = await listQueueHeads(reader, { webhookId, after: '', limit: queuesReadMax });
    const blocked = heads.filter(({ attempts }) => attempts > 0).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const ids = blocked.slice(0, blockedMax).map(({ id }) => id);
    const rows = await listHeadsOfBacklog(reader, { ids, max: waitingMax + 1 });
    return {
      webhookId,
      blocked: rows.map(({ pending, ...row }) => ({ delivery: deliveryView(row), waiting: Math.max(0, pending - 1) })),
      isComplete: heads.length < queuesReadMax && blocked.length <= blockedMax,
    };
  },
});

/**
 * Excludes those that are due for the first time. A retry of a redelivery that was interrupted redelivers the rest, and
 * counts only that.
 */
const redeliverWebhook = operation({
  id: 'redeliverWebhook',
  method: 'POST',
  path: `${ofWebhook}/redeliver`,
  summary: 'Redeliver all deliveries of a webhook since a time',
  description:
    'Includes delivered ones, unless `state` selects others. They are sent in their order, each with the full number of attempts. Events that were never queued for the webhook, or whose deliveries were pruned, are not included.',
  scope,
  body: Redelivery,
  response: Redelivered,
  refusals: ['webhook_not_found'],
  command: {
    name: 'webhook redeliver',
    description:
      'Redeliver the deliveries of a webhook since a time. They are sent immediately, with the full number of attempts.',
    arguments: { id: 'the webhook id' },
    options: {
      since: '<time> only deliveries queued at this UTC time or later',
      state: '<state> only deliveries in this state',
    },
    recordsEvent: false,
    examples: [
      'app-registry webhook redeliver webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --since 2026-03-01T09:30:00Z --state failed',
    ],
  },
  async run({ registry, caller, params: { id: webhookId }, body: { since, state } }) {
    const { reader } = registry.storage;
    const first = await findFirstResult<Redelivered>(registry, caller, { content: caller.idempotency?.content ?? [] });
    if (first) return first;
    await requireWebhook(reader, webhookId);
    const range = { webhookId, since: Date.parse(since), state, now: registry.now(), limit: redeliveryBatchMax };
    // In batches, so that other writes need not wait. The key is stored with the last one.
    for (let after = '', redelivered = 0; ; ) {
      const ids = await listToRedeliver(reader, { ...range, after });
      const redeliverBatch = async (transaction: Connection) =>
        ids.length === 0 ? 0 : updateToPending(transaction, { ids, now: range.now });
      if (ids.length < redeliveryBatchMax) {
        return write(registry, caller, async (transaction) => ({
          webhookId,
          deliveriesRedelivered: redelivered + (await redeliverBatch(transaction)),
        }));
      }
      redelivered += await registry.storage.write(redeliverBatch);
      after = ids.at(-1) ?? after;
    }
  },
});

const getDelivery = operation({
  id: 'getDelivery',
  method: 'GET',
  path,
  summary: 'Get a delivery with its last request and response',
  description: 'The signature and other secrets are not included. Only a part of the response is stored.',
  scope,
  response: DeliveryDetails,
  refusals: ['delivery_not_found'],
  command: {
    name: 'delivery get',
    description: 'Show a delivery with the request and the response of its last attempt, without secrets.',
    arguments: { id: 'the delivery id' },
    examples: ['app-registry delivery get delivery_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, params: { id } }) {
    const { reader } = registry.storage;
    const delivery = isTypeId(id, 'delivery') ? await findDelivery(reader, { id }) : null;
    if (!delivery) throw deliveryNotFound(id);
    const [{ head } = {}] = await withHeads(reader, [delivery]);
    const view = deliveryView(delivery, head);
    const request = await findDeliveryRequest(reader, { id: delivery.sent_with ?? id });
    // It may be of a later attempt: that of the first delivery of the batch alone.
    if (request?.recorded_at !== delivery.attempted_at) return view;
    const sent = await listSent(reader, delivery, request);
    return { ...view, request: requestView(request, sent), ...responseView(delivery, request) };
  },
});

/**
 * Later pending deliveries of its queue wait for it; later delivered ones are not repeated. That of a disabled webhook
 * waits until the webhook is enabled.
 */
const redeliverDelivery = operation({
  id: 'redeliverDelivery',
  method: 'POST',
  path: `${path}/redeliver`,
  summary: 'Redeliver a delivery',
  description: 'Sends it again immediately, regardless of its state, with the full number of attempts.',
  scope,
  ifMatch: true,
  response: Delivery,
  refusals: ['delivery_not_found'],
  command: {
    name: 'delivery redeliver',
    description: 'Redeliver a delivery. It is sent immediately, with the full number of attempts.',
    arguments: { id: 'the delivery id' },
    recordsEvent: false,
    examples: ['app-registry delivery redeliver delivery_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, caller, params: { id }, ...call }) {
    if (!isTypeId(id, 'delivery')) throw deliveryNotFound(id);
    return write(registry, caller, async (transaction) => {
      const before = await findDeliveryForUpdate(transaction, { id });
      if (!before) throw deliveryNotFound(id);
      requireUnchanged('delivery', deliveryTag(before), call);
      await updateToPending(transaction, { ids: [id], now: registry.now() });
      const delivery = await findDelivery(transaction, { id });
      if (!delivery) throw deliveryNotFound(id);
      return deliveryView(delivery);
    });
  },
});

export const deliveryOperations = byId(listDeliveries, getDelivery, redeliverDelivery);

/** Listed beside the other operations on a webhook. */
export const webhookDeliveryOperations = byId(getWebhookBacklog, redeliverWebhook);

function deliveryNotFound(id: string): Failure {
  return new Failure('delivery_not_found', `No delivery has the id ${id}. It may have been pruned. Check the id.`);
}

/** Each delivery with the first pending one of its queue. */
async function withHeads<Row extends DeliveryRow & { head: string | null }>(reader: Reader, rows: Row[]) {
  const ids = rows.flatMap(({ id, head }) => (head === null || head === id ? [] : [head]));
  const heads = new Map((await listHeads(reader, [...new Set(ids)])).map((row) => [row.id, row]));
  return rows.map((row) => ({ row, head: row.head === null ? undefined : heads.get(row.head) }));
}

/** The events of the request, in its order. */
async function listSent(reader: Reader, delivery: DeliveryRow, request: DeliveryRequestRow): Promise<EventRow[]> {
  const ids = request.event_ids?.split(' ') ?? [delivery.event_id];
  const byId = new Map((await listEventsById(reader, ids)).map((event) => [event.id, event]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function requestView(request: DeliveryRequestRow, events: EventRow[]): NonNullable<DeliveryDetails['request']> {
  const bodies = events.map((event) => ({ eventId: event.id, body: eventBody(event) }));
  const { id, body } = requestContent(bodies, { isBatch: request.event_ids !== null });
  const signed = signedHeaders({ id, at: request.sent_at, signature: 'v1,(not stored)' });
  const headers = requestHeaders(signed, { body, userAgent: request.user_agent });
  return {
    url: request.url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body,
    sentAt: dateTime(request.sent_at),
    durationMs: request.duration_ms,
  };
}

function responseView(
  { response_body: start, response_status: status }: DeliveryRow,
  { response }: DeliveryRequestRow,
): Pick<DeliveryDetails, 'response'> {
  if (response === null || status === null) return {};
  const { headers, rest, isBinary, isCut }: RecordedResponse = JSON.parse(response);
  return {
    response: {
      status,
      headers: headers.map(([name, value]) => ({ name, value })),
      ...(!isBinary && { body: `${start ?? ''}${rest}` }),
      isBinary,
      isTruncated: isCut,
    },
  };
}
