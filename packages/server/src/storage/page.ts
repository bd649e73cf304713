import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Connection } from './query.ts';
import type { Tables } from './tables.ts';

/** A position between two rows: just after or before the row with these values in the list's order. */
export interface Position {
  side: 'after' | 'before';
  values: string[];
}

export interface PageRequest {
  limit: number;
  /** Where the page starts or ends; the first page without it. */
  position?: Position | undefined;
}

export interface PageOfRows<Row> {
  rows: Row[];
  /** Start of the next page; absent when there is none. */
  next?: Position;
  /** End of the previous page; absent when there is none. */
  prev?: Position;
}

/** The position belongs to a list with another order. */
export class ForeignPosition extends Error {
  override readonly name = 'ForeignPosition';
}

interface PageQuery<Table extends keyof Tables, Row> {
  /** The list, neither ordered nor limited. */
  query: SelectQueryBuilder<Tables, Table, Row>;
  /** Columns that are unique together, all of them selected. An index must serve them. */
  order: readonly (keyof Row & string)[];
  /** Whether to order from last to first. */
  descending?: boolean;
  /** Only rows whose order values are greater than these. */
  from?: readonly string[] | undefined;
  /** Only rows whose order values are less than these. */
  until?: readonly string[] | undefined;
  /** The condition of a partial index on the order. It follows the bounds, because SQLite searches by the first of them. */
  indexed?: RawBuilder<boolean>;
}

/**
 * One page of a list, by keyset: each page costs the same, and rows inserted or deleted between requests make no
 * other row appear twice or not at all. Throws `ForeignPosition`.
 */
export async function listPage<Table extends keyof Tables, Row>(
  connection: Connection,
  { query, order, descending = false, from, until, indexed }: PageQuery<Table, Row>,
  { limit, position }: PageRequest,
): Promise<PageOfRows<Row>> {
  if (position && position.values.length !== order.length) throw new ForeignPosition();
  const backwards = position?.side === 'before';
  // One extra row shows whether the list continues.
  let page = query.limit(limit + 1);
  if (position) page = page.where(isBeyond(order, position, descending));
  // Given two bounds on the same side, SQLite might search by either one.
  if (from && (position === undefined || isUpper(position, descending) || !isGreater(position.values, from))) {
    page = page.where(isBeyond(order, { side: 'after', values: [...from] }));
  }
  // A position on the same side is that of a row, which is less.
  if (until && (position === undefined || !isUpper(position, descending))) {
    page = page.where(isBeyond(order, { side: 'before', values: [...until] }));
  }
  if (indexed) page = page.where(indexed);
  for (const column of order) page = page.orderBy(sql.ref(column), backwards !== descending ? 'desc' : 'asc');
  const found = await connection.rows(page.compile());
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  return { rows, ...around(rows, { order, backwards, isMore: found.length > limit, position }) };
}

/** Throws `ForeignPosition` if the first value of a position is not a number, for which PostgreSQL would fail. */
export function requireNumber(position: Position | undefined): void {
  if (position && !/^-?\d{1,15}$/.test(position.values[0] ?? '')) throw new ForeignPosition();
}

/** Whether the rows beyond a position are the lesser ones. */
export function isUpper({ side }: Position, descending: boolean): boolean {
  return (side === 'before') !== descending;
}

function isGreater(values: readonly string[], from: readonly string[]): boolean {
  for (const [index, bound] of from.entries()) {
    const value = values[index] ?? '';
    if (value !== bound) return value > bound;
  }
  return true;
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
  const positionAt = (side: Position['side'], row: Row): Position => ({
    side,
    values: order.map((column) => String(row[column])),
  });
  // A page that was reached from one side has a page on that side.
  return {
    ...((backwards || isMore) && { next: positionAt('after', last) }),
    ...((backwards ? isMore : position !== undefined) && { prev: positionAt('before', first) }),
  };
}
