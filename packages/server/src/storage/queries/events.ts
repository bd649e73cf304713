import { type RawBuilder, sql } from 'kysely';
import { ForeignPosition, isUpper, listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, find, insert, list } from '../query.ts';
import { columns, type EventRow } from '../tables.ts';
import { firstKeys } from './index-ranges.ts';

export const insertEvent = insert('events');

/** The trail of one app, oldest first. */
export const listEventsOfApp = list((db, { appId }: { appId: string }) =>
  db.selectFrom('events').select(columns.events).where('app_id', '=', appId).orderBy('id'),
);

/** The latest step of an app's review. */
export const findLatestReviewEvent = find((db, { appId }: { appId: string }) =>
  db
    .selectFrom('events')
    .select(['type', 'actor', 'occurred_at'])
    .where('app_id', '=', appId)
    // As the index has it: PostgreSQL must see that it fits.
    .where(sql<boolean>`type in ('app.submitted', 'app.withdrawn', 'app.approved', 'app.rejected', 'app.revoked')`)
    .orderBy('id', 'desc')
    .limit(1),
);

/** Whose events they are. Each has an index; an index of several would make every change dearer. */
const owners = ['app_id', 'actor', 'request_id'] as const;

/** At most one of the first three. */
export interface EventFilter extends Partial<Pick<EventRow, (typeof owners)[number]>> {
  /** Of an app: a member of its content, without the name of its group: what gave or changed it. */
  member?: string | undefined;
  /** The id of an event, or a beginning of one: those after it. */
  after?: string | undefined;
}

export interface EventPageRequest extends PageRequest {
  newestFirst?: boolean | undefined;
}

/** A page of the events that meet a filter, in the order of their ids, or from the last to the first. Throws `ForeignPosition`. */
export async function listEventPage(
  connection: Connection,
  filter: EventFilter,
  request: EventPageRequest,
): Promise<PageOfRows<EventRow>> {
  const descending = request.newestFirst === true;
  const owner = owners.find((column) => filter[column] !== undefined);
  let query = connection.builder.selectFrom('events').select(columns.events);
  if (owner === undefined) {
    const from = filter.after === undefined ? undefined : [filter.after];
    return listPage(connection, { query, order: ['id'], descending, from }, request);
  }
  const value = filter[owner] as string;
  const { position } = request;
  if (position && position.values[0] !== value) throw new ForeignPosition();
  if (owner === 'app_id') {
    query = query.where('id', 'in', idsOfApp(filter, request));
    return listPage(connection, { query, order: ['app_id', 'id'], descending }, request);
  }
  // No equality: PostgreSQL would leave the column out of the order, and might look through all events by id. And no
  // bound beside that of the page: SQLite searches by one of them.
  if (!position || !isUpper(position, descending)) query = query.where(owner, '<=', value);
  // As its index has it.
  if (owner === 'request_id') query = query.where('request_id', 'is not', null);
  const from = [value, filter.after ?? ''];
  return listPage(connection, { query, order: [owner, 'id'], descending, from }, request);
}

/**
 * As the index of an app's events has it, in which what changed the content stands apart from any number of its
 * installations' events. In this order PostgreSQL cannot rather look through all events by id.
 */
const classAndId = sql<string>`(case when type in ('app.created', 'app.updated', 'app.transferred') then 'content ' else 'other ' end || id)`;

/** The ids of the events of an app on one page and of one more. */
function idsOfApp({ app_id, member, after = '' }: EventFilter, request: EventPageRequest): RawBuilder<string> {
  const { low, high } = boundsOf(after, request);
  const direction = (request.position?.side === 'before') !== (request.newestFirst === true) ? 'desc' : 'asc';
  const rowsMax = request.limit + 1;
  const ranges = (member === undefined ? ['content ', 'other '] : ['content ']).map(
    (name) => sql`select id from events
      where app_id = ${app_id} and ${classAndId} > ${name + low} and ${classAndId} < ${name + high} ${givesMember(member)}
      order by ${classAndId} ${sql.raw(direction)} limit ${rowsMax}`,
  );
  return firstKeys(ranges, { order: ['id'], direction, rowsMax });
}

/** More than every id. */
const lastId = '\u{10ffff}';

function boundsOf(after: string, { position, newestFirst = false }: EventPageRequest): { low: string; high: string } {
  const id = position?.values[1] ?? '';
  if (position && isUpper(position, newestFirst)) return { low: after, high: id };
  return { low: id > after ? id : after, high: lastId };
}

function givesMember(member: string | undefined): RawBuilder<unknown> {
  if (member === undefined) return sql``;
  // Inside of a value a quotation mark has a backslash before it, so this can be found as a name alone. LIKE would
  // make PostgreSQL expect so little that it gathers all before it takes the first.
  return sql`and replace(after, ${`"${member}":`}, '') <> after`;
}
