import { sql } from 'kysely';
import { list } from '../../../storage/query.ts';

/**
 * The number of pending deliveries of each enabled webhook, counted up to `max`. Here and below, the query orders by
 * one complete index with a lower bound, so that no engine reads finished deliveries.
 */
export const countPending = list((db, { max }: { max: number }) => {
  const pending = sql`select 1 from deliveries
    where state = 'pending' and (webhook_id, queue) >= (webhooks.id, '') and webhook_id <= webhooks.id
    order by webhook_id, queue, position limit ${max}`;
  const counts = sql<{ pending: number }>`select (select count(*) from (${pending}) as counted) as pending
    from webhooks where disabled_at is null`;
  return { compile: () => counts.compile(db) };
});

/** When the first and last pending delivery of each enabled webhook were created; null when none is pending. */
export const listOldestPending = list((db) => {
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
