import type { Registry } from '../../../kernel/registry.ts';
import type { WebhookRow } from '../../../storage/tables.ts';
import { queueShard } from '../delivery/webhook-leases.ts';
import { defaultRequestsAtOnce } from '../webhook.ts';
import { findWebhook } from '../webhook-queries.ts';
import { signingSecrets } from '../webhook-secrets.ts';
import { type EventBody, eventBody, requestContent } from './delivery-request.ts';
import {
  listFirstPending,
  listPendingOf,
  listQueueHeads,
  type PendingDelivery,
  queuesPerRead,
  type ServedWebhook,
} from './next-delivery-queries.ts';

const retryAfterMsMax = 3_600_000;
const spread = 0.1;

/** The pauses after the first, second and further attempts. There is one more attempt than pauses. */
interface Retries {
  retryMs: readonly number[];
}

interface FailedAttempt extends Retries {
  /** Number of attempts so far, including this one. */
  attempts: number;
  /** The pause that the receiver requests. */
  retryAfterMs?: number;
}

/** No pause is longer. */
export function retryDelayMsMax(retryMs: readonly number[]): number {
  return Math.max(retryAfterMsMax, ...retryMs.map((planned) => planned * (1 + spread)));
}

/**
 * The pause before the next attempt, or null after the last. It varies by up to a tenth, so that deliveries that failed
 * together are not retried together, and is longer if the receiver requests it, but for that reason at most an hour.
 */
export function retryDelayMs(
  { attempts, retryMs, retryAfterMs = 0 }: FailedAttempt,
  random: () => number = Math.random,
): number | null {
  const planned = retryMs[attempts - 1];
  if (planned === undefined) return null;
  const spreadMs = planned * (1 + spread * (2 * random() - 1));
  return Math.round(Math.max(spreadMs, Math.min(retryAfterMs, retryAfterMsMax)));
}

/** Maximum size of a request with several of the events that `listPendingOf` reads. A single event may be larger. */
const batchBytesMax = 1_048_576;
/** Where the trace id ends in a `traceparent`. */
const traceEnd = 35;
/** How many queues `nextRequests` reads; of batches fewer, because each may have a hundred events. */
export const queuesPerReadMax = { single: queuesPerRead, batch: 8 };

/** A request to be made now: one delivery, or several of one queue together. */
export interface DueRequest {
  webhookId: string;
  queue: string;
  url: string;
  /** Each of them signs the request. */
  secrets: string[];
  /** The `webhook-id`, which stays the same when the same events are sent again. */
  id: string;
  body: string;
  /** The trace that all of its events belong to, if there is one. */
  traceparent?: string | undefined;
  /** In order. */
  deliveries: DueDelivery[];
  /** Number of attempts so far. */
  attempts: number;
}

interface DueDelivery {
  id: string;
  eventId: string;
  dueAt: number;
}

/** Some of the queues of a webhook. */
interface QueuePage {
  /** Whether the webhook receives events of a queue together. */
  inBatches: boolean;
  /** How many requests to it may be under way. */
  requestsAtOnce: number;
  /** The queues whose first delivery is due. */
  due: string[];
  /** The last of them all; absent when no more follow. */
  last?: string | undefined;
}

/** The next `limit` queues. Null if the webhook is disabled or deleted. */
export async function listDueQueues(
  { storage, now }: Registry,
  { webhookId, after, limit, retryMs }: Retries & { webhookId: string; after: string; limit: number },
): Promise<QueuePage | null> {
  const webhook = await findWebhook(storage.reader, { id: webhookId });
  if (!webhook || webhook.disabled_at !== null) return null;
  const heads = await listQueueHeads(storage.reader, { webhookId, after, limit });
  const due = heads.filter((head) => isDue(head, { now: now(), retryMs })).map(({ queue }) => queue);
  return {
    inBatches: webhook.batch === 1,
    requestsAtOnce: webhook.requests_at_once ?? defaultRequestsAtOnce,
    due,
    ...(heads.length === limit && { last: heads.at(-1)?.queue }),
  };
}

interface WantedRequests extends ServedWebhook, Retries {
  queues: string[];
  /** Whether to read what a batch may contain. */
  inBatches: boolean;
}

/**
 * What is due in these queues, one request of each at most. None of a shard that `holder` does not serve, and none if no
 * key opens the secret that signs them.
 */
export async function nextRequests(
  registry: Registry,
  { queues, inBatches, retryMs, ...served }: WantedRequests,
): Promise<DueRequest[]> {
  const { reader } = registry.storage;
  const wanted = queues.map((queue) => ({ queue, shard: queueShard(queue) }));
  const pending = inBatches
    ? await Promise.all(wanted.map((queue) => listPendingOf(reader, { ...served, ...queue })))
    : (await listFirstPending(reader, { ...served, queues: wanted })).map((row) => [row]);
  // Later than the events: those that follow a rotation are signed with the new secret.
  const webhook = await findWebhook(reader, { id: served.webhookId });
  const secrets = webhook ? signingSecrets(registry, webhook) : [];
  if (!webhook || secrets.length === 0) return [];
  const now = registry.now();
  return pending.flatMap((rows) => {
    const [head, ...more] = rows;
    return head && isDue(head, { now, retryMs }) ? [dueRequest(webhook, { head, more, secrets })] : [];
  });
}

function dueRequest(
  webhook: WebhookRow,
  { head, more, secrets }: { head: PendingDelivery; more: PendingDelivery[]; secrets: string[] },
): DueRequest {
  const isBatch = webhook.batch === 1;
  const wanted = isBatch ? [head, ...together(head, more)] : [head];
  const events = wanted.map((row) => ({ eventId: row.event_id, body: eventBody({ ...row, id: row.event_id }) }));
  const count = fittingCount(events);
  const rows = wanted.slice(0, count);
  return {
    webhookId: webhook.id,
    queue: head.queue,
    url: webhook.url,
    secrets,
    attempts: head.attempts,
    deliveries: rows.map(({ id, event_id, due_at }) => ({ id, eventId: event_id, dueAt: due_at })),
    traceparent: commonTrace(rows),
    ...requestContent(events.slice(0, count), { isBatch }),
  };
}

/**
 * The deliveries of the same request: further ones that no attempt has included, or those of the failed attempt of the
 * head, which is repeated as a whole. Until it ends, no other attempt of the queue is made.
 */
function together(head: PendingDelivery, more: PendingDelivery[]): PendingDelivery[] {
  const sameAttempt = ({ attempts, due_at, attempted_at }: PendingDelivery) =>
    attempts === head.attempts && (attempts === 0 || (due_at === head.due_at && attempted_at === head.attempted_at));
  const end = more.findIndex((row) => !sameAttempt(row));
  return end === -1 ? more : more.slice(0, end);
}

function commonTrace([first, ...more]: PendingDelivery[]): string | undefined {
  const traceOf = (row: PendingDelivery | undefined) => row?.traceparent?.slice(0, traceEnd);
  const isCommon = more.every((row) => traceOf(row) === traceOf(first));
  return isCommon ? (first?.traceparent ?? undefined) : undefined;
}

/** How many of these events fit into one request: one at least. */
function fittingCount(events: EventBody[]): number {
  let bytes = 0;
  const end = events.findIndex(({ body }) => {
    // The brackets or a comma.
    bytes += Buffer.byteLength(body) + 2;
    return bytes > batchBytesMax;
  });
  return end === -1 ? events.length : Math.max(1, end);
}

/**
 * The first attempt is due at once: the clock of the process that stored it may be ahead. So is any other whose time is
 * further away than every pause: a clock that was wrong has stored it.
 */
function isDue(
  { attempts, due_at }: { attempts: number; due_at: number },
  { now, retryMs }: Retries & { now: number },
): boolean {
  return attempts === 0 || due_at <= now || due_at > now + retryDelayMsMax(retryMs);
}
