import { sql } from 'kysely';
import { ForeignPosition, isUpper, listPage, type PageOfRows, type PageRequest } from './page.ts';
import { type Connection, find, insert, list } from './query.ts';
import { columns, type EventRow } from './tables.ts';

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
  /** A member of the content of the app, without the name of its group: what gave or changed it. */
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
  { newestFirst: descending = false, ...request }: EventPageRequest,
): Promise<PageOfRows<EventRow>> {
  const owner = owners.find((column) => filter[column] !== undefined);
  let query = connection.builder.selectFrom('events').select(columns.events);
  if (filter.member !== undefined) {
    // Inside of a value a quotation mark has a backslash before it, so this can be found as a name alone. LIKE would
    // make PostgreSQL expect so little that it gathers all before it takes the first.
    const name = `"${filter.member}":`;
    query = query
      .where(sql<boolean>`replace(after, ${name}, '') <> after`)
      // As the index has it.
      .where(sql<boolean>`type in ('app.created', 'app.updated', 'app.transferred')`);
  }
  if (owner === undefined) {
    const from = filter.after === undefined ? undefined : [filter.after];
    return listPage(connection, { query, order: ['id'], descending, from }, request);
  }
  const value = filter[owner] as string;
  const { position } = request;
  if (position && position.values[0] !== value) throw new ForeignPosition();
  // No equality: PostgreSQL would leave the column out of the order, and might look through all events by id. And no
  // bound beside that of the page: SQLite searches by one of them.
  if (!position || !isUpper(position, descending)) query = query.where(owner, '<=', value);
  // As its index has it.
  if (owner === 'request_id') query = query.where('request_id', 'is not', null);
  const from = [value, filter.after ?? ''];
  return listPage(connection, { query, order: [owner, 'id'], descending, from }, request);
}
