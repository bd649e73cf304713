import { type SelectQueryBuilder, sql } from 'kysely';
import type { Connection } from './query.ts';
import type { Tables } from './tables.ts';

/** A place between two rows: just after or just before the row with these values of the list's order. */
export interface Position {
  side: 'after' | 'before';
  values: string[];
}

export interface PageRequest {
  limit: number;
  /** Where the page begins, or ends; without it, it is the first page. */
  position?: Position | undefined;
}

export interface PageOfRows<Row> {
  rows: Row[];
  /** Where the page after this one begins; absent when there is none. */
  next?: Position;
  /** Where the page before this one ends. */
  prev?: Position;
}

/** The position comes from a list with another order. */
export class ForeignPosition extends Error {
  override readonly name = 'ForeignPosition';
}

interface PageQuery<Table extends keyof Tables, Row> {
  /** What the list holds, neither ordered nor limited. */
  query: SelectQueryBuilder<Tables, Table, Row>;
  /** Columns that are unique together, all of them selected. An index must serve them. */
  order: readonly (keyof Row & string)[];
  /** Whether it is the order from the last to the first. */
  descending?: boolean;
  /** Values of the order: the list holds what is greater than them. */
  from?: readonly string[] | undefined;
}

/**
 * One page of a list, by keyset: a page costs the same wherever it is, and rows that come and go beside it
 * make no other row appear twice or not at all. Throws `ForeignPosition`.
 */
export async function listPage<Table extends keyof Tables, Row>(
  connection: Connection,
  { query, order, descending = false, from }: PageQuery<Table, Row>,
  { limit, position }: PageRequest,
): Promise<PageOfRows<Row>> {
  if (position && position.values.length !== order.length) throw new ForeignPosition();
  const backwards = position?.side === 'before';
  // One row more tells whether the list goes on.
  let page = query.limit(limit + 1);
  if (position) page = page.where(isBeyond(order, position, descending));
  // Of two bounds on one side SQLite would search by either.
  if (from && (position === undefined || isUpper(position, descending) || !isGreater(position.values, from))) {
    page = page.where(isBeyond(order, { side: 'after', values: [...from] }));
  }
  for (const column of order) page = page.orderBy(sql.ref(column), backwards !== descending ? 'desc' : 'asc');
  const found = await connection.rows(page.compile());
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  return { rows, ...around(rows, { order, backwards, isMore: found.length > limit, position }) };
}

/** Whether the rows beyond a position are the lesser ones. */
export function isUpper({ side }: Position, descending: boolean): boolean {
  return (side === 'before') !== descending;
}

function isGreater(values: readonly string[], from: readonly string[]): boolean {
  const at = from.findIndex((value, index) => value !== values[index]);
  return at === -1 || (values[at] as string) > (from[at] as string);
}

function isBeyond(order: readonly string[], position: Position, descending = false) {
  const columns = sql.join(order.map((column) => sql.ref(column)));
  const operator = sql.raw(isUpper(position, descending) ? '<' : '>');
  return sql<boolean>`(${columns}) ${operator} (${sql.join(position.values)})`;
}

interface Found<Row> {
  order: readonly (keyof Row & string)[];
  backwards: boolean;
  isMore: boolean;
  position: Position | undefined;
}

function around<Row>(rows: Row[], { order, backwards, isMore, position }: Found<Row>): Omit<PageOfRows<Row>, 'rows'> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return {};
  const place = (side: Position['side'], row: Row): Position => ({
    side,
    values: order.map((column) => String(row[column])),
  });
  // A page that was reached from one side has a page on that side.
  return {
    ...((backwards || isMore) && { next: place('after', last) }),
    ...((backwards ? isMore : position !== undefined) && { prev: place('before', first) }),
  };
}
