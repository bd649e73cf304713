import { type RawBuilder, sql } from 'kysely';
import {
  type Connection,
  defineFind,
  defineInsert,
  defineList,
  defineStream,
  type Reader,
} from '../../storage/query.ts';
import {
  ForeignPosition,
  firstKeys,
  isEnd,
  isUpper,
  listPage,
  type PageOfRows,
  type PageRequest,
} from '../../storage/row-pages.ts';
import { type AppRow, columns, type EventRow, type InstallationRow } from '../../storage/tables.ts';

export const insertEvent = defineInsert('events');

/** The first and the newest event; null when there is none. */
export const findFirstEvent = defineFind((db) =>
  db.selectFrom('events').select(['id', 'occurred_at']).orderBy('id').limit(1),
);
export const findNewestEvent = defineFind((db) =>
  db.selectFrom('events').select(['id', 'occurred_at']).orderBy('id', 'desc').limit(1),
);
/**
 * Reads no row of the table. The limit is part of the text: for one that is a value, PostgreSQL would expect a tenth of the
 * table, and make a new plan each time.
 */
export const findNewestEventId = defineFind((db) =>
  db.selectFrom('events').select('id').orderBy('id', 'desc').limit(sql.lit(1)),
);

export const countEventsBefore = defineFind((db, { before }: { before: string }) =>
  db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('id', '<', before),
);

/** The events before an id, in order. Few at a time: an event may have 50 kilobytes. */
export const streamEventsBefore = defineStream(
  (db, { before }: { before: string }) =>
    db.selectFrom('events').select(columns.events).where('id', '<', before).orderBy('id'),
  { rowsMax: 100 },
);

/** The existing ones of these events, by id. */
export async function listEventsById(connection: Reader, ids: string[]): Promise<EventRow[]> {
  if (ids.length === 0) return [];
  const events = connection.builder.selectFrom('events').select(columns.events).where('id', 'in', ids).orderBy('id');
  return connection.rows(events.compile());
}

/** The existing ones of these events. */
export async function listExistingEvents(connection: Reader, ids: string[]): Promise<{ id: string }[]> {
  return connection.rows(connection.builder.selectFrom('events').select('id').where('id', 'in', ids).compile());
}

/** Deletes events. Returns their number. */
export async function deleteEvents(connection: Connection, ids: string[]): Promise<number> {
  return connection.run(connection.builder.deleteFrom('events').where('id', 'in', ids).compile());
}

/** The events of one app, oldest first. */
export const listEventsOfApp = defineList((db, { appId }: { appId: string }) =>
  db.selectFrom('events').select(columns.events).where('app_id', '=', appId).orderBy('id'),
);

/** The latest event of an app's review. */
export const findLatestReviewEvent = defineFind((db, { appId }: { appId: string }) =>
  db
    .selectFrom('events')
    .select(['id', 'type', 'actor', 'occurred_at'])
    .where('app_id', '=', appId)
    // Exactly as in the index, so that PostgreSQL recognises it.
    .where(sql<boolean>`type in ('app.submitted', 'app.withdrawn', 'app.approved', 'app.rejected', 'app.revoked')`)
    .orderBy('id', 'desc')
    .limit(1),
);

/** The columns of which a filter uses at most one. Each has an index; a combined index would make every change dearer. */
const owners = ['app_id', 'actor', 'request_id'] as const;

/** At most one of the first three. */
export interface EventFilter extends Partial<Record<(typeof owners)[number], string>> {
  /** With `app_id`: only changes of its content. */
  contentOnly?: boolean | undefined;
  /** An event id or a prefix of one: only events after it. */
  after?: string | undefined;
  /** The same: only events before it. */
  before?: string | undefined;
  /** Only events of this time or later, in milliseconds. */
  since?: number | undefined;
}

export interface EventPageRequest extends PageRequest {
  newestFirst?: boolean | undefined;
  /** The types of events whose data is read; that of others is null. Without it, all data is read. */
  dataOf?: readonly string[] | undefined;
}

/** A page of the events that match a filter, by id in either direction. Throws `ForeignPosition`. */
export async function listEventPage(
  connection: Connection,
  filter: EventFilter,
  request: EventPageRequest,
): Promise<PageOfRows<EventRow>> {
  const descending = request.newestFirst === true;
  const owner = owners.find((column) => filter[column] !== undefined);
  const value = owner && filter[owner];
  let query = selectEvents(connection, request.dataOf);
  if (owner !== 'app_id' && filter.since !== undefined) query = query.where(isSince(filter.since));
  if (owner === undefined || value === undefined) {
    const from = filter.after === undefined ? undefined : [filter.after];
    const until = filter.before === undefined ? undefined : [filter.before];
    return listPage(connection, { query, order: ['id'], descending, from, until }, request);
  }
  const { position } = request;
  if (position && !isEnd(position) && position.values[0] !== value) throw new ForeignPosition();
  if (owner === 'app_id') {
    query = query.where('id', 'in', idsOfApp(filter, request));
    return listPage(connection, { query, order: ['app_id', 'id'], descending }, request);
  }
  // Exactly as in the index.
  if (owner === 'request_id') query = query.where('request_id', 'is not', null);
  // A range, not an equality, with which PostgreSQL would drop the column from the order and might scan all events by id.
  const from = [value, filter.after ?? ''];
  const until = [value, filter.before ?? lastId];
  return listPage(connection, { query, order: [owner, 'id'], descending, from, until }, request);
}

const dataColumns = ['before', 'after', 'details', 'effective'] as const;
type HeadColumn = Exclude<keyof EventRow, (typeof dataColumns)[number]>;
const headColumns = columns.events.filter((name): name is HeadColumn => !dataColumns.some((data) => data === name));

function selectEvents({ builder }: Connection, dataOf: readonly string[] | undefined) {
  const query = builder.selectFrom('events');
  if (dataOf === undefined) return query.select(columns.events);
  const types = sql.join([...dataOf]);
  return query
    .select(headColumns)
    .select(
      dataColumns.map((name) => sql<string | null>`case when type in (${types}) then ${sql.ref(name)} end`.as(name)),
    );
}

/** The types of events that set or change content: the class `content` of the index below. */
export const contentEventTypes = ['app.created', 'app.updated', 'app.transferred'] as const;

/**
 * Exactly as in the index of an app's events, which separates content changes from any number of installation events.
 * In this order, PostgreSQL cannot scan all events by id instead.
 */
export const classAndId = sql<string>`(case when type in ('app.created', 'app.updated', 'app.transferred') then 'content ' else 'other ' end || id)`;

/** Sorts after every id. */
export const lastId = '\u{10ffff}';

/** The event ids of an app for one page and one more. */
function idsOfApp(
  { app_id, contentOnly, after = '', before = lastId, since }: EventFilter,
  request: EventPageRequest,
): RawBuilder<string> {
  const { low, high } = keyBounds({ after, before }, request);
  const direction = (request.position?.side === 'before') !== (request.newestFirst === true) ? 'desc' : 'asc';
  const rowsMax = request.limit + 1;
  const ofTime = since === undefined ? sql`` : sql`and ${isSince(since)}`;
  const ranges = (contentOnly ? ['content '] : ['content ', 'other ']).map(
    (name) => sql`select id from events
      where app_id = ${app_id} and ${classAndId} > ${name + low} and ${classAndId} < ${name + high} ${ofTime}
      order by ${classAndId} ${sql.raw(direction)} limit ${rowsMax}`,
  );
  return firstKeys(ranges, { order: ['id'], direction, rowsMax });
}

function keyBounds(
  { after, before }: { after: string; before: string },
  { position, newestFirst = false }: EventPageRequest,
): { low: string; high: string } {
  if (!position || isEnd(position)) return { low: after, high: before };
  const {
    values: [, id = ''],
  } = position;
  if (isUpper(position, newestFirst)) return { low: after, high: id < before ? id : before };
  return { low: id > after ? id : after, high: before };
}

/**
 * Nearly all events after the bound of their id meet it. PostgreSQL assumes that id and time are independent: with a
 * comparison alone, it would estimate so few rows that it collects all of them before returning the first.
 */
function isSince(time: number): RawBuilder<boolean> {
  return sql`(case when occurred_at < ${time} then 1 else 0 end) <> 1`;
}

export type ChangedAppRow = Pick<AppRow, 'id' | 'name' | 'developer_id' | 'installation_count'>;

/** The existing ones of these apps. */
export async function listChangedApps(connection: Reader, ids: string[]): Promise<ChangedAppRow[]> {
  const apps = connection.builder
    .selectFrom('apps')
    .select(['id', 'name', 'developer_id', 'installation_count'])
    .where('id', 'in', ids);
  return connection.rows(apps.compile());
}

/** The workspaces of the existing ones of these installations. */
export async function listWorkspacesOfInstallations(
  connection: Reader,
  ids: string[],
): Promise<Pick<InstallationRow, 'id' | 'workspace_id'>[]> {
  const installations = connection.builder
    .selectFrom('installations')
    .select(['id', 'workspace_id'])
    .where('id', 'in', ids);
  return connection.rows(installations.compile());
}

/** The transfers since a time, with the former owner and logos in `before`, and the next ones in `after`. */
export const listTransfersSince = defineList((db, { since }: { since: number }) =>
  db
    .selectFrom('events')
    .select(['app_id', 'before', 'after'])
    .where(sql<boolean>`type = 'app.transferred'`)
    .where('occurred_at', '>=', since)
    .orderBy('id'),
);

/** An event that may have changed the content of an app. */
export type ContentEventRow = Pick<EventRow, 'id' | 'type' | 'occurred_at' | 'actor' | 'before' | 'after'>;

/** How many are read at once. Few: an event may have 50 kilobytes. */
export const contentEventsMax = 100;

/** The last events of an app's content before an event, from the newest. */
export const listContentEventsBefore = defineList((db, { appId, before }: { appId: string; before: string }) =>
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
export const findArchivesSince = defineFind((db, { time }: { time: number }) =>
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
