import { sql } from 'kysely';
import type { FeedOrder } from '../event-feed.ts';

/**
 * Transactions commit in any order. The position of an event is at least the id of its transaction, so that it is
 * beyond the horizon while that one, or any before it, is unfinished. `events.position` has it by its default.
 */
export const postgresFeedOrder: FeedOrder = {
  position: sql<number>`position`,
  columns: ['position', 'id'],
  isAfter: ({ position, id }) => sql<boolean>`(position, id) > (${position}, ${id})`,
  horizon: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  isForeign: sql<boolean>`position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
};
