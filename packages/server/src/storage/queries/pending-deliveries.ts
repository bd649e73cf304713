import { sql } from 'kysely';
import { list } from '../query.ts';

/**
 * How many deliveries each enabled webhook has still to get; no more than so many are counted. Here and below the
 * order is that of one whole index, and its beginning is given, lest an engine reads what is finished.
 */
export const countPending = list((db, { max }: { max: number }) => {
  const pending = sql`select 1 from deliveries
    where state = 'pending' and (webhook_id, queue) >= (webhooks.id, '') and webhook_id <= webhooks.id
    order by webhook_id, queue, position limit ${max}`;
  const counts = sql<{ pending: number }>`select (select count(*) from (${pending}) as counted) as pending
    from webhooks where disabled_at is null`;
  return { compile: () => counts.compile(db) };
});

/** Since when the oldest of them waits, for each enabled webhook; null when it has them all. */
export const listOldestPending = list((db) => {
  const first = sql`select case when webhook_id = webhooks.id and state = 'pending' then created_at end from deliveries
    where (webhook_id, state, id) >= (webhooks.id, 'pending', '') order by webhook_id, state, id limit 1`;
  const oldest = sql<{ since: number | null }>`select (${first}) as since from webhooks where disabled_at is null`;
  return { compile: () => oldest.compile(db) };
});
