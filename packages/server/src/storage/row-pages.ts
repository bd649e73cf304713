import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Connection, Reader } from './query.ts';
import type { Tables } from './tables.ts';

/** A position between two rows: just after or before the row with these values in the list's order. */
export interface Position {
  side: 'after' | 'before';
  /** None for the end of the list, before which its last page is. */
  values: string[];
}

export function isEnd({ side, values }: Position): boolean {
  return side === 'before' && values.length === 0;
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

/** How a list is ordered, and between which values of its order. */
export interface Sorting<Column extends string> {
  /** Columns that are unique together, all of them selected. An index must serve them. */
  order: readonly Column[];
  /** Whether to order from last to first. */
  descending?: boolean | undefined;
  /** Only rows whose order values are greater than these. */
  from?: readonly string[] | undefined;
  /** Only rows whose order values are less than these. */
  until?: readonly string[] | undefined;
}

/** Whether a column holds times, in milliseconds, by its name. All others by which lists are ordered hold texts. */
export function isTime(column: string | undefined): boolean {
  return /_(?:at|since)$/.test(column ?? '');
}

/** The position belongs to a list with another order. */
export class ForeignPosition extends Error {
  override readonly name = 'ForeignPosition';
}

interface PageQuery<Table extends keyof Tables, Row> extends Sorting<keyof Row & string> {
  /** The list, neither ordered nor limited. */
  query: SelectQueryBuilder<Tables, Table, Row>;
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
  { limit, position: given }: PageRequest,
): Promise<PageOfRows<Row>> {
  requirePosition(order, given);
  const backwards = given?.side === 'before';
  const position = given && isEnd(given) ? undefined : given;
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

/** For a time that is not a number, PostgreSQL would fail. */
function requirePosition(order: readonly string[], position: Position | undefined): void {
  if (!position || isEnd(position)) return;
  const { values } = position;
  const isOfOrder = values.length === order.length && (!isTime(order[0]) || /^-?\d{1,15}$/.test(values[0] ?? ''));
  if (!isOfOrder) throw new ForeignPosition();
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
  /** That of a row, from which the page was reached. */
  position: Position | undefined;
}

const endOfList: Position = { side: 'before', values: [] };

function around<Row>(rows: Row[], { order, backwards, isMore, position }: Found<Row>): Omit<PageOfRows<Row>, 'rows'> {
  const [first, last] = [rows[0], rows.at(-1)];
  // The rows from the position on were deleted, so the page before it is the last one.
  if (first === undefined || last === undefined) return position && !backwards ? { prev: endOfList } : {};
  const positionAt = (side: Position['side'], row: Row): Position => ({
    side,
    values: order.map((column) => String(row[column])),
  });
  // A page that was reached from one side has a page on that side.
  const [isBefore, isAfter] = backwards ? [isMore, position !== undefined] : [position !== undefined, isMore];
  return {
    ...(isAfter && { next: positionAt('after', last) }),
    ...(isBefore && { prev: positionAt('before', first) }),
  };
}

/**
 * A list that consists of complete ranges of one index. The last columns of the index order the list: with the leading ones they
 * are unique.
 */
export interface IndexRanges extends Sorting<string> {
  table: keyof Tables;
  /** The first columns of the index. */
  leading: readonly string[];
  /** The values of those columns, per range; also a column of an outer query. */
  ranges: readonly (readonly (string | number | RawBuilder<unknown>)[])[];
  /** The key of the table, by default `id`. */
  key?: string;
  /** Prefix of the first column of the order. */
  prefix?: string | undefined;
  /** An additional condition. Rows that do not meet it are read and discarded. */
  also?: RawBuilder<boolean>;
}

/** Sorts after any text by which lists are ordered, none of which has more than 100 characters. */
const lastText = '\u{10ffff}'.repeat(101);

/** Sort before and after any number. */
const numbers = [String(Number.MIN_SAFE_INTEGER), String(Number.MAX_SAFE_INTEGER)] as const;

/**
 * Selects the ids of the rows of one page and one more. Reads at most a page of each range of the index, regardless of
 * the planner's estimates. Throws `ForeignPosition`.
 */
export function keysInRanges(list: IndexRanges, request: PageRequest): RawBuilder<string> {
  const { order, key = 'id' } = list;
  const selected = order.includes(key) ? order : [...order, key];
  return firstKeys(rowsInRanges(list, request, selected), {
    ...{ order, key },
    direction: directionOf(list, request),
    rowsMax: request.limit + 1,
  });
}

/**
 * Selects, per range, columns of the rows of one page and one more: those of the order, or others. To read no other rows, it
 * compares and orders by the complete index: after an equality, PostgreSQL would drop the column from the order and might
 * scan the table by its key; given two bounds on the same side, SQLite would search by either one. Throws `ForeignPosition`.
 */
export function rowsInRanges(
  list: IndexRanges,
  request: PageRequest,
  selected: readonly string[] = list.order,
): RawBuilder<unknown>[] {
  const { order } = list;
  const { low, high } = boundsOf(list, request);
  const columns = [...list.leading, ...order];
  const index = names(columns);
  const also = list.also ? sql`and ${list.also}` : sql``;
  return list.ranges.map(
    (values) => sql`select ${names(selected)} from ${sql.table(list.table)}
      where (${index}) > (${sql.join([...values, ...low])}) and (${index}) < (${sql.join([...values, ...high])}) ${also}
      order by ${sorted(columns, directionOf(list, request))} limit ${request.limit + 1}`,
  );
}

function directionOf({ descending = false }: IndexRanges, { position }: PageRequest): 'asc' | 'desc' {
  return (position?.side === 'before') !== descending ? 'desc' : 'asc';
}

interface First {
  /** Each range selects these columns, and the key. */
  order: readonly string[];
  key?: string;
  direction: 'asc' | 'desc';
  rowsMax: number;
}

/** The ids of the first rows of several ranges together. Each range is a query for as many rows in the same order. */
export function firstKeys(
  ranges: RawBuilder<unknown>[],
  { order, key = 'id', direction, rowsMax }: First,
): RawBuilder<string> {
  const all = ranges.map((range) => sql`select * from (${range}) as one_range`);
  return sql`(
    select ${sql.ref(key)} from (${sql.join(all, sql` union all `)}) as all_ranges
    order by ${sorted(order, direction)} limit ${rowsMax})`;
}

function boundsOf(
  { order, prefix, descending = false, from, until }: IndexRanges,
  { position }: PageRequest,
): { low: readonly string[]; high: readonly string[] } {
  requirePosition(order, position);
  if (prefix !== undefined && position?.values[0]?.startsWith(prefix) === false) throw new ForeignPosition();
  const [first, last] = isTime(order[0]) ? numbers : [prefix ?? '', `${prefix ?? ''}${lastText}`];
  const rest = order.slice(1).map(() => '');
  const bounds = { low: from ?? [first, ...rest], high: until ?? [last, ...rest] };
  if (position && !isEnd(position)) bounds[isUpper(position, descending) ? 'high' : 'low'] = position.values;
  return bounds;
}

function sorted(columns: readonly string[], direction: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`));
}

function names(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(name)));
}

/**
 * At the start of a transaction that finds all rows by an index, in tables that it fills or reads in parts. PostgreSQL plans by
 * the number of rows that it counted last, and no row of an open transaction is counted; it plans the checks of foreign
 * keys and the statements of triggers once for a connection. What was planned for a table of one page would read all of
 * it again for each of a million rows. The few rows of a part may be sorted, which a snapshot otherwise avoids. No compiled
 * plans: the cost of a scan that is to be avoided would enable them.
 */
export async function planByIndex(reader: Reader, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine !== 'postgres') return;
  await reader.rows(
    sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'on', true),
      set_config('jit', 'off', true)`.compile(reader.builder),
  );
}
