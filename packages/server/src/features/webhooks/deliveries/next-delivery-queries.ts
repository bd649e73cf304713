import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineList } from '../../../storage/query.ts';
import type { DeliveryRow, EventRow } from '../../../storage/tables.ts';

export interface QueueHead {
  id: string;
  queue: string;
  attempts: number;
  due_at: number;
}

interface QueueRange {
  webhookId: string;
  after: string;
  limit: number;
}

/**
 * The first pending delivery of each queue of a webhook, by queue, after a given queue, up to `limit`. Skips from
 * queue to queue, so that a long queue costs no more than a short one. Here and below, a query for a first row
 * orders by the complete index, because PostgreSQL might otherwise use another one.
 */
export const listQueueHeads = defineList((db, { webhookId, after, limit }: QueueRange) => {
  const pending = sql`deliveries where webhook_id = ${webhookId} and state = 'pending'`;
  const heads = sql<QueueHead>`
    with recursive queues (queue) as (
      select min(queue) from ${pending} and queue > ${after}
      union all
      select (select min(queue) from ${pending} and queue > queues.queue) from queues where queue is not null
    ),
    heads (position) as (
      select (select position from ${pending} and queue >= queues.queue order by queue, position limit 1) from queues
      where queue is not null limit ${limit}
    )
    select id, queue, attempts, due_at from heads join deliveries on deliveries.position = heads.position order by queue`;
  return { compile: () => heads.compile(db) };
});

/** The columns of a delivery with its event. */
const withEvent = sql`deliveries.id, deliveries.queue, event_id, attempts, due_at, attempted_at,
  type, occurred_at, app_id, subject_id, actor, request_id, traceparent, before, after, details, effective, reason`;

export type PendingDelivery = Pick<DeliveryRow, 'id' | 'queue' | 'event_id' | 'attempts' | 'due_at' | 'attempted_at'> &
  Omit<EventRow, 'id'>;

/** A queue of a webhook in a shard that `holder` serves. */
export interface ServedQueue {
  queue: string;
  shard: number;
}

/** A webhook, and the process that serves some of its shards. */
export interface ServedWebhook {
  webhookId: string;
  holder: string;
}

/** The queues that one statement reads at most: a fixed number, so that it is prepared once. */
export const queuesPerRead = 64;
const fewQueues = 4;

/** As part of the text: of a limit that is a value, PostgreSQL expects a tenth of all rows, and may read the table. */
const eventsPerRead = 100;

/**
 * The first pending delivery of each of up to `queuesPerRead` queues, with its event, if the webhook is enabled and
 * `holder` serves the shard.
 */
export function listFirstPending(
  connection: Connection,
  { webhookId, holder, queues }: ServedWebhook & { queues: ServedQueue[] },
): Promise<PendingDelivery[]> {
  const [size, read] = queues.length <= fewQueues ? [fewQueues, ofFew] : [queuesPerRead, ofMany];
  const values = Array.from({ length: size }, (_, at) => {
    const { queue = '', shard = -1 } = queues[at] ?? {};
    return [
      [`queue${at}`, queue],
      [`shard${at}`, shard],
    ];
  });
  return read(connection, { ...Object.fromEntries(values.flat()), webhookId, holder });
}

const ofFew = firstPendingQuery(fewQueues);
const ofMany = firstPendingQuery(queuesPerRead);

function firstPendingQuery(size: number) {
  return defineList((db, slots: Record<string, string | number>) => {
    const wanted = Array.from(
      { length: size },
      (_, at) => sql`(cast(${slots[`queue${at}`]} as text), cast(${slots[`shard${at}`]} as bigint))`,
    );
    const first = sql<PendingDelivery>`
      with wanted (queue, shard) as (values ${sql.join(wanted)}),
      heads (position) as materialized (
        select (select position from (${pendingInQueue(sql`${slots.webhookId}`, sql`wanted.queue`)} limit 1) as first)
        from wanted join webhook_leases on webhook_leases.shard = wanted.shard
        join webhooks on webhooks.id = webhook_leases.webhook_id
        where webhook_leases.webhook_id = ${slots.webhookId} and holder = ${slots.holder} and ${served}
      )
      select ${withEvent} from heads join deliveries on deliveries.position = heads.position
      join events on events.id = deliveries.event_id`;
    return { compile: () => first.compile(db) };
  });
}

/**
 * The pending deliveries of a queue, in order. Two bounds, not an equality: with that, PostgreSQL drops the column from the
 * order, and where it expects many to be pending in the queue, it reads all deliveries by their position until it finds one.
 */
function pendingInQueue(webhookId: RawBuilder<unknown>, queue: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select position, id, queue, event_id, attempts, due_at, attempted_at from deliveries where state = 'pending'
    and webhook_id = ${webhookId} and queue >= ${queue} and queue <= ${queue} order by queue, position`;
}

const served = sql`webhooks.disabled_at is null`;

/** The first pending deliveries of a queue, in order, `eventsPerRead` at most. */
export const listPendingOf = defineList((db, { webhookId, holder, queue, shard }: ServedWebhook & ServedQueue) => {
  const first = sql<PendingDelivery>`
      select ${withEvent} from (${pendingInQueue(sql`${webhookId}`, sql`${queue}`)} limit ${sql.lit(eventsPerRead)}) as deliveries
      join events on events.id = deliveries.event_id
      where exists (select 1 from webhook_leases join webhooks on webhooks.id = webhook_leases.webhook_id
        where webhook_leases.webhook_id = ${webhookId} and shard = ${shard} and holder = ${holder} and ${served})
      order by deliveries.position`;
  return { compile: () => first.compile(db) };
});

type Attempted = Pick<
  DeliveryRow,
  'state' | 'attempts' | 'due_at' | 'attempted_at' | 'finished_at' | 'response_status' | 'response_body' | 'sent_with'
>;

/** A delivery as it was read before the attempt. */
export interface BeforeAttempt {
  id: string;
  dueAt: number;
}

/**
 * Records the same attempt, with the time of the next, for deliveries of the same number of attempts. Returns the ids
 * of those that have not changed since they were read.
 */
export async function updateAttempted(
  connection: Connection,
  { before, ...row }: Attempted & { before: BeforeAttempt[] },
): Promise<string[]> {
  const update = connection.builder
    .updateTable('deliveries')
    .set(row)
    .where(
      'id',
      'in',
      before.map(({ id }) => id),
    )
    // One text each, because PostgreSQL looks those up in a hash table, and pairs one by one.
    .where(
      sql<string>`id || ' ' || due_at`,
      'in',
      before.map(({ id, dueAt }) => `${id} ${dueAt}`),
    )
    // Not by the index of all that is pending.
    .where(sql`coalesce(state, '')`, '=', 'pending')
    .where('attempts', '=', row.attempts - 1)
    .returning('id');
  return (await connection.rows(update.compile())).map(({ id }) => id);
}
