import { sql } from 'kysely';
import { type Connection, defineChange, defineFind, defineInsert, defineStream } from '../../../storage/query.ts';
import { columns, type EventArchiveRow } from '../../../storage/tables.ts';
import { classAndId, lastId } from '../event-queries.ts';

export const insertEventArchive = defineInsert('event_archives');

export const findLastEventArchive = defineFind((db) =>
  db.selectFrom('event_archives').select(columns.event_archives).orderBy('number', 'desc').limit(1),
);

/** The archive with the latest event by its time: after a clock was ahead, an earlier archive may have it. */
export const findLatestEventArchive = defineFind((db) =>
  db.selectFrom('event_archives').select('last_occurred_at').orderBy('last_occurred_at', 'desc').limit(1),
);

/** The archives with events after an id (or a prefix of one) and of a time or later; `first` is null without any. */
export const findArchivesSince = defineFind((db, { after, since }: { after: string; since: number }) =>
  db
    .selectFrom('event_archives')
    .select(({ fn }) => [
      fn.min('number').as('first'),
      fn.max('number').as('last'),
      fn.max('last_event_id').as('last_event_id'),
      fn.max('last_occurred_at').as('last_occurred_at'),
    ])
    .where('last_event_id', '>', after)
    .where('last_occurred_at', '>=', since),
);

export const findEventArchive = defineFind((db, { number }: { number: number }) =>
  db.selectFrom('event_archives').select(columns.event_archives).where('number', '=', number),
);

export const streamEventArchives = defineStream((db) =>
  db.selectFrom('event_archives').select(columns.event_archives).orderBy('number'),
);

interface ArchiveProgress extends Pick<EventArchiveRow, 'number' | 'state' | 'moved'> {
  before: Pick<EventArchiveRow, 'state' | 'moved'>;
}

/** Records progress. Changes nothing and returns 0 if another process has made progress since it was read. */
export function updateEventArchive(
  connection: Connection,
  { number, state, moved, before }: ArchiveProgress,
): Promise<number> {
  return connection.run(
    connection.builder
      .updateTable('event_archives')
      .set({ state, moved })
      .where('number', '=', number)
      .where('state', '=', before.state)
      .where('moved', '=', before.moved)
      .compile(),
  );
}

export const deleteEventArchive = defineChange((db, { number }: { number: number }) =>
  db.deleteFrom('event_archives').where('number', '=', number),
);

/**
 * The first event that does not precede a time. Of an event dated later than now, by a clock that was ahead, only its
 * place is known: it counts by the one after it. `firstId` is the first id of that time: none is older than its event.
 */
export const findFirstEventSince = defineFind(
  (db, { firstId, time, now }: { firstId: string; time: number; now: number }) => {
    const dated = sql`select id from events where id >= ${firstId} and occurred_at >= ${time} and occurred_at <= ${now}
    order by id limit 1`;
    const lastBefore = sql`select id from events where occurred_at < ${time} and id < coalesce((${dated}), ${lastId})
    order by id desc limit 1`;
    const first = sql<{
      id: string;
    }>`select id from events where id > coalesce((${lastBefore}), '') order by id limit 1`;
    return { compile: () => first.compile(db) };
  },
);

/** The first event that a delivery refers to, also a finished one: it may be redelivered. */
export const findFirstDeliveredEvent = defineFind((db) =>
  db.selectFrom('deliveries').select('event_id').orderBy('event_id').limit(1),
);

/**
 * The first event that an undecided change needs: for each app in the review queue, its last approval, or without one its
 * creation, or what is left of them. Orders by complete indexes, so that no engine scans all events by id.
 */
export const findFirstUndecidedEvent = defineFind((db) => {
  const decision = sql`select event_id from decisions where app_id = undecided.id and step = 'approve'
    order by app_id desc, event_id desc limit 1`;
  const approval = sql`select id from events where id = (${decision})`;
  const first = sql`select id from events where app_id = undecided.id order by app_id, ${classAndId} limit 1`;
  const needed = sql<{ event_id: string; app_id: string }>`
    select event_id, app_id from (
      select coalesce((${approval}), (${first})) as event_id, undecided.id as app_id
      from (select id from apps where waiting_since > 0) as undecided
    ) as needed where event_id is not null order by event_id limit 1`;
  return { compile: () => needed.compile(db) };
});
