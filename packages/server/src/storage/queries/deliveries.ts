import { sql } from 'kysely';
import { listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, change, find, list } from '../query.ts';
import { columns, type DeliveryRow } from '../tables.ts';

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
export const listQueueHeads = list((db, { webhookId, after, limit }: QueueRange) => {
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

const typeOfEvent = sql<string>`(select type from events where events.id = deliveries.event_id)`.as('type');

/** A delivery with the type of its event. */
export const findDelivery = find((db, { id }: { id: string }) =>
  db.selectFrom('deliveries').where('id', '=', id).select(columns.deliveries).select(typeOfEvent),
);

/** The next pending delivery of a queue, with its event and target, if the webhook is enabled and leased by `holder`. */
export const findNextDelivery = find(
  (db, { webhookId, queue, holder }: Record<'webhookId' | 'queue' | 'holder', string>) =>
    db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
      .where(
        sql.ref('deliveries.position'),
        '=',
        sql`(select position from deliveries where webhook_id = ${webhookId} and state = 'pending' and queue = ${queue}
        order by position limit 1)`,
      )
      .where('webhooks.disabled_at', 'is', null)
      .where('webhooks.lease_holder', '=', holder)
      .select(['deliveries.id', 'webhook_id', 'event_id', 'attempts', 'due_at'])
      .select(['type', 'occurred_at', 'app_id', 'subject_id', 'actor', 'request_id', 'before', 'after', 'details'])
      .select('reason')
      .select(['url', 'secret', 'previous_secret', 'previous_secret_until']),
);

type Attempted = Omit<DeliveryRow, 'webhook_id' | 'event_id' | 'queue' | 'created_at'>;

/** Records an attempt and the time of the next. Changes nothing if the delivery has changed since it was read. */
export const updateAttempted = change((db, row: Attempted & { attemptsBefore: number; dueBefore: number }) =>
  db
    .updateTable('deliveries')
    .set({
      state: row.state,
      attempts: row.attempts,
      due_at: row.due_at,
      attempted_at: row.attempted_at,
      finished_at: row.finished_at,
      answer_status: row.answer_status,
      answer: row.answer,
    })
    .where('id', '=', row.id)
    .where('state', '=', 'pending')
    .where('attempts', '=', row.attemptsBefore)
    .where('due_at', '=', row.dueBefore),
);

export interface DeliveryFilter {
  webhookId: string;
  state?: DeliveryRow['state'] | undefined;
}

/** A page of the deliveries of a webhook, newest first. */
export function listDeliveryPage(
  connection: Connection,
  { webhookId, state }: DeliveryFilter,
  request: PageRequest,
): Promise<PageOfRows<DeliveryRow & { type: string }>> {
  let query = connection.builder
    .selectFrom('deliveries')
    .where('webhook_id', '=', webhookId)
    .select(columns.deliveries)
    .select(typeOfEvent);
  if (state !== undefined) query = query.where('state', '=', state);
  return listPage(connection, { query, order: ['id'], descending: true }, request);
}

interface DeliveryRange {
  webhookId: string;
  since: number;
  now: number;
  /** The last known id. */
  after: string;
  limit: number;
}

/**
 * The ids of the next deliveries of a webhook created since a time, by creation. Excludes deliveries that are due and
 * never attempted.
 */
export const listToRedeliver = list((db, { webhookId, since, now, after, limit }: DeliveryRange) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('created_at', '>=', since)
    .where('id', '>', after)
    .where(isNotNew(now))
    .orderBy('webhook_id')
    .orderBy('id')
    .limit(limit),
);

/** Makes deliveries due now with no attempts. Skips those that are so already; returns the number of the others. */
export async function updateToPending(
  connection: Connection,
  { ids, now }: { ids: string[]; now: number },
): Promise<number> {
  const pending = { state: 'pending', attempts: 0, due_at: now, finished_at: null } as const;
  const update = connection.builder.updateTable('deliveries').set(pending).where('id', 'in', ids).where(isNotNew(now));
  return connection.run(update.compile());
}

const isNotNew = (now: number) => sql<boolean>`(state <> 'pending' or due_at > ${now} or attempts > 0)`;

/** The ids of some finished deliveries of a webhook. */
export const listFinishedOf = list((db, { webhookId, limit }: { webhookId: string; limit: number }) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', ['delivered', 'failed'])
    .limit(limit),
);

/** The deliveries that finished first, up to a time. */
export const listFinishedDeliveries = list((db, { until, limit }: { until: number; limit: number }) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'state'])
    .where('finished_at', '<=', until)
    .where('finished_at', 'is not', null)
    .orderBy('finished_at')
    .limit(limit),
);

/** Deletes those of these deliveries that are still finished, since one may have been redelivered. Returns their number. */
export async function deleteFinishedDeliveries(connection: Connection, ids: string[]): Promise<number> {
  const finished = connection.builder
    .deleteFrom('deliveries')
    .where('id', 'in', ids)
    .where('finished_at', 'is not', null);
  return connection.run(finished.compile());
}
