import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Connection, QueryBuilder } from '../../../storage/query.ts';
import type { FeedOrder, FeedPlace, Storage } from '../../../storage/storage.ts';
import type { Tables } from '../../../storage/tables.ts';

/** A database, and the order in which its engine feeds events. */
type FedStorage = Pick<Storage, 'reader' | 'feedOrder'>;

export interface FeedFilter {
  types?: readonly string[] | undefined;
  appId?: string | undefined;
  effectiveOnly?: boolean | undefined;
}

interface FeedScan {
  after: FeedPlace;
  filter: FeedFilter;
  rowsMax: number;
}

/** An event that a scan has read. */
export interface ScannedEvent extends FeedPlace {
  /** Whether it matches the filter. */
  matches: 0 | 1;
}

/**
 * The next readable events after a place, including those that do not match the filter, so that the length of a scan is
 * bounded.
 */
export function scanFeed(
  { reader, feedOrder }: FedStorage,
  { after, filter, rowsMax }: FeedScan,
): Promise<ScannedEvent[]> {
  const query = readable(feedOrder, placesIn(reader.builder, feedOrder))
    .select(matching(filter).as('matches'))
    .where(feedOrder.isAfter(after))
    .limit(sql.lit(rowsMax));
  return reader.rows(inOrder(feedOrder, query, 'asc').compile());
}

/** The place of an event; null when it is not stored. */
export async function findFeedPlace({ reader, feedOrder }: FedStorage, id: string): Promise<FeedPlace | null> {
  const [place] = await reader.rows(placesIn(reader.builder, feedOrder).where('id', '=', id).compile());
  return place ?? null;
}

/** The last readable event, and the time of the first one that is held back, if there is one. Null when none is readable. */
export async function findFeedEnd({
  reader,
  feedOrder,
}: FedStorage): Promise<(FeedPlace & { waitingSince: number | null }) | null> {
  const waiting = waitingForTransactions(reader.builder, feedOrder);
  const waitingSince = waiting ? sql<number | null>`(${waiting})` : sql<null>`null`;
  const query = readable(feedOrder, placesIn(reader.builder, feedOrder))
    .select(waitingSince.as('waitingSince'))
    .limit(sql.lit(1));
  const [end] = await reader.rows(inOrder(feedOrder, query, 'desc').compile());
  return end ?? null;
}

/** The time of the first event that an unfinished transaction holds back, in milliseconds; null if none does. */
export async function findWaitingEvent({ reader, feedOrder }: FedStorage): Promise<{ occurred_at: number } | null> {
  const waiting = waitingForTransactions(reader.builder, feedOrder);
  if (!waiting) return null;
  const [event] = await reader.rows(waiting.compile());
  return event ?? null;
}

/** The first in the feed of the events from an id on. Reads the index of the feed up to it. */
export async function findFirstFedFrom({ reader, feedOrder }: FedStorage, id: string): Promise<FeedPlace | null> {
  const query = placesIn(reader.builder, feedOrder).where('id', '>=', id).limit(sql.lit(1));
  const [place] = await reader.rows(inOrder(feedOrder, query, 'asc').compile());
  return place ?? null;
}

/** The first id of the events that are fed after a place although it is less than another id; null without any. */
export async function findFirstIdFedAfter(
  { reader, feedOrder }: FedStorage,
  { place, before }: { place: FeedPlace; before: string },
): Promise<string | null> {
  const query = reader.builder
    .selectFrom('events')
    .select('id')
    .where(feedOrder.isAfter(place))
    .where('id', '<', before)
    .orderBy('id')
    .limit(sql.lit(1));
  const [event] = await reader.rows(query.compile());
  return event?.id ?? null;
}

/**
 * Moves events before all that have a position, in the order of their ids. Readers that have started are already past
 * them.
 */
export async function putFirstInFeed(
  transaction: Connection,
  { feedOrder, ids }: Pick<Storage, 'feedOrder'> & { ids: string[] },
): Promise<void> {
  if (feedOrder.horizon === null || ids.length === 0) return;
  const query = sql`update events set position = 0 where id in (${sql.join(ids)})`;
  await transaction.run(query.compile(transaction.builder));
}

type PlaceQuery<Row> = SelectQueryBuilder<Tables, 'events', Row>;

function placesIn(builder: QueryBuilder, { position }: FeedOrder): PlaceQuery<FeedPlace> {
  return builder.selectFrom('events').select(['id', position.as('position')]);
}

function readable<Row>({ position, horizon }: FeedOrder, query: PlaceQuery<Row>): PlaceQuery<Row> {
  return horizon ? query.where(sql<boolean>`${position} < ${horizon}`) : query;
}

function inOrder<Row>({ columns: order }: FeedOrder, query: PlaceQuery<Row>, direction: 'asc' | 'desc') {
  let ordered = query;
  for (const column of order) ordered = ordered.orderBy(sql.ref(column), direction);
  return ordered;
}

/** In the order of the index: for a mere condition, PostgreSQL might read the table. */
function waitingForTransactions(builder: QueryBuilder, feedOrder: FeedOrder) {
  const { position, horizon } = feedOrder;
  if (!horizon) return null;
  const query = builder
    .selectFrom('events')
    .select('occurred_at')
    .where(sql<boolean>`${position} >= ${horizon}`)
    .limit(sql.lit(1));
  return inOrder(feedOrder, query, 'asc');
}

function matching({ types, appId, effectiveOnly }: FeedFilter): RawBuilder<0 | 1> {
  const conditions = [
    ...(types ? [sql`type in (${sql.join([...types])})`] : []),
    ...(appId === undefined ? [] : [sql`app_id = ${appId}`]),
    ...(effectiveOnly ? [sql`effective is not null`] : []),
  ];
  if (conditions.length === 0) return sql<1>`1`;
  return sql<0 | 1>`case when ${sql.join(conditions, sql` and `)} then 1 else 0 end`;
}
