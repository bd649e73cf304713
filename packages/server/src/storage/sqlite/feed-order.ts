import { sql } from 'kysely';
import type { FeedOrder } from '../event-feed.ts';

/** One transaction writes at a time, and its ids are greater than all that are stored. */
export const sqliteFeedOrder: FeedOrder = {
  position: sql<number>`0`,
  columns: ['id'],
  isAfter: ({ id }) => sql<boolean>`id > ${id}`,
  horizon: null,
  isForeign: null,
};
