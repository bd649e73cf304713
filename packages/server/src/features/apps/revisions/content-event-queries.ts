import { sql } from 'kysely';
import { find, list } from '../../../storage/query.ts';
import type { EventRow } from '../../../storage/tables.ts';
import { classAndId } from '../../events/event-queries.ts';

/** An event that may have changed the content of an app. */
export type ContentEventRow = Pick<EventRow, 'id' | 'type' | 'occurred_at' | 'actor' | 'before' | 'after'>;

/** How many are read at once. Few: an event may have 50 kilobytes. */
export const contentEventsMax = 100;

/** The last events of an app's content before an event, from the newest. */
export const listContentEventsBefore = list((db, { appId, before }: { appId: string; before: string }) =>
  db
    .selectFrom('events')
    .select(['id', 'type', 'occurred_at', 'actor', 'before', 'after'])
    .where('app_id', '=', appId)
    .where(classAndId, '>', 'content ')
    .where(classAndId, '<', sql<string>`('content ' || ${before})`)
    .orderBy('app_id', 'desc')
    .orderBy(classAndId, 'desc')
    .limit(contentEventsMax),
);

/** The archives that hold events of this time or later. Null when there are none. */
export const findArchivesSince = find((db, { time }: { time: number }) =>
  db
    .selectFrom('event_archives')
    .select(({ fn }) => [
      fn.min('number').as('first'),
      fn.max('number').as('last'),
      fn.max('last_occurred_at').as('lastOccurredAt'),
    ])
    .where('last_occurred_at', '>=', time)
    .having(({ fn }) => fn.countAll(), '>', 0),
);
