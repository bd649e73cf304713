import { sql } from 'kysely';
import { type Connection, defineFind, defineList, type Reader } from '../../../storage/query.ts';
import { listPage, type PageOfRows, type PageRequest, type Sorting } from '../../../storage/row-pages.ts';
import { columns, type DeliveryRow } from '../../../storage/tables.ts';

const typeOfEvent = sql<string>`(select type from events where events.id = deliveries.event_id)`.as('type');

/** The pending deliveries in the queue of a row of `deliveries`, in order. Two bounds for the reason in `pendingInQueue`. */
const inItsQueue = sql`deliveries as other where other.state = 'pending' and other.webhook_id = deliveries.webhook_id
  and other.queue >= deliveries.queue and other.queue <= deliveries.queue order by other.queue, other.position`;

/** The id of the first pending delivery of the queue of a pending one. */
const headOfQueue = sql<
  string | null
>`case when state = 'pending' then (select other.id from ${inItsQueue} limit 1) end`.as('head');

/** A delivery with the type of its event. */
export const findDelivery = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('deliveries').where('id', '=', id).select(columns.deliveries).select([typeOfEvent, headOfQueue]),
);

/** The first deliveries of queues, by their ids. */
export async function listHeads(connection: Reader, ids: string[]): Promise<(DeliveryRow & { type: string })[]> {
  if (ids.length === 0) return [];
  const heads = connection.builder.selectFrom('deliveries').where('id', 'in', ids);
  return connection.rows(heads.select(columns.deliveries).select(typeOfEvent).compile());
}

/** The same, each with the number of pending deliveries of its queue, counted up to `max`. */
export async function listHeadsOfBacklog(
  connection: Reader,
  { ids, max }: { ids: string[]; max: number },
): Promise<(DeliveryRow & { type: string; pending: number })[]> {
  if (ids.length === 0) return [];
  const pending = sql<number>`(select count(*) from (select 1 from ${inItsQueue} limit ${max}) as counted)`.as(
    'pending',
  );
  const heads = connection.builder.selectFrom('deliveries').where('id', 'in', ids).orderBy('created_at').orderBy('id');
  return connection.rows(heads.select(columns.deliveries).select([typeOfEvent, pending]).compile());
}

/** Inside a write: the delivery, locked until the write ends. */
export const findDeliveryForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('deliveries').where('id', '=', id).select(columns.deliveries).select(typeOfEvent).forUpdate(),
);

export interface DeliveryFilter {
  webhookId: string;
  state?: DeliveryRow['state'] | undefined;
}

/** A page of the deliveries of a webhook. Throws `ForeignPosition`. */
export function listDeliveryPage(
  connection: Connection,
  { webhookId, state }: DeliveryFilter,
  { sorting, ...request }: PageRequest & { sorting: Sorting<'id'> },
): Promise<PageOfRows<DeliveryRow & { type: string; head: string | null }>> {
  let query = connection.builder
    .selectFrom('deliveries')
    .where('webhook_id', '=', webhookId)
    .select(columns.deliveries)
    .select([typeOfEvent, headOfQueue]);
  if (state !== undefined) query = query.where('state', '=', state);
  return listPage(connection, { query, ...sorting }, request);
}

interface DeliveryRange extends DeliveryFilter {
  since: number;
  now: number;
  /** The last known id. */
  after: string;
  limit: number;
}

/**
 * The ids of the next deliveries of a webhook created since a time, by creation, of any state or of one. Excludes
 * deliveries that are due and never attempted.
 */
export async function listToRedeliver(
  connection: Reader,
  { webhookId, state, since, now, after, limit }: DeliveryRange,
): Promise<string[]> {
  let query = connection.builder
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('created_at', '>=', since)
    .where('id', '>', after)
    .where(isNotNew(now))
    .orderBy('webhook_id');
  // The columns of an index.
  if (state !== undefined) query = query.where('state', '=', state).orderBy('state');
  const rows = await connection.rows(query.orderBy('id').limit(limit).compile());
  return rows.map(({ id }) => id);
}

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
export const listFinishedOf = defineList((db, { webhookId, limit }: { webhookId: string; limit: number }) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', ['delivered', 'failed'])
    .limit(limit),
);

/** The ids of some pending deliveries of a webhook. */
export const listPendingIds = defineList((db, { webhookId, limit }: { webhookId: string; limit: number }) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'pending')
    .orderBy('webhook_id')
    .orderBy('state')
    .orderBy('id')
    .limit(limit),
);

/** Deletes those of these deliveries that are still pending. Returns their number. */
export async function deletePendingDeliveries(connection: Connection, ids: string[]): Promise<number> {
  const pending = connection.builder.deleteFrom('deliveries').where('id', 'in', ids).where('state', '=', 'pending');
  return connection.run(pending.compile());
}

/** The deliveries that finished first, up to a time. */
export const listFinishedDeliveries = defineList((db, { until, limit }: { until: number; limit: number }) =>
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

/** The last request whose first delivery has this id. */
export const findDeliveryRequest = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('delivery_requests').select(columns.delivery_requests).where('delivery_id', '=', id),
);

export async function deleteDeliveryRequests(connection: Connection, deliveryIds: string[]): Promise<void> {
  await connection.run(
    connection.builder.deleteFrom('delivery_requests').where('delivery_id', 'in', deliveryIds).compile(),
  );
}

/**
 * The number of pending deliveries of each enabled webhook, counted up to `max`. Here and below, the query orders by
 * one complete index with a lower bound, so that no engine reads finished deliveries.
 */
export const countPending = defineList((db, { max }: { max: number }) => {
  const pending = sql`select 1 from deliveries
    where state = 'pending' and (webhook_id, queue) >= (webhooks.id, '') and webhook_id <= webhooks.id
    order by webhook_id, queue, position limit ${max}`;
  const counts = sql<{ pending: number }>`select (select count(*) from (${pending}) as counted) as pending
    from webhooks where disabled_at is null`;
  return { compile: () => counts.compile(db) };
});

/** When the first and last pending delivery of each enabled webhook were created; null when none is pending. */
export const listOldestPending = defineList((db) => {
  const first = sql`select case when webhook_id = webhooks.id and state = 'pending' then created_at end from deliveries
    where (webhook_id, state, id) >= (webhooks.id, 'pending', '') order by webhook_id, state, id limit 1`;
  const last = sql`select case when webhook_id = webhooks.id and state = 'pending' then created_at end from deliveries
    where (webhook_id, state, id) <= (webhooks.id, 'pending', ${lastId}) order by webhook_id desc, state desc, id desc limit 1`;
  const oldest = sql<
    Record<'first' | 'last', number | null>
  >`select (${first}) as first, (${last}) as last from webhooks
    where disabled_at is null`;
  return { compile: () => oldest.compile(db) };
});

/** Sorts after every delivery id. */
const lastId = 'delivery_~';
