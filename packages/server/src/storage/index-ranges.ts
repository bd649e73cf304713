import { type RawBuilder, sql } from 'kysely';
import { ForeignPosition, isUpper, type PageRequest } from './page.ts';
import type { Reader } from './statement.ts';
import type { Tables } from './tables.ts';

/** A list that consists of complete ranges of one index. */
export interface IndexRanges {
  table: keyof Tables;
  /** The first columns of the index. */
  leading: readonly string[];
  /** The values of those columns, per range. */
  ranges: readonly (readonly (string | number)[])[];
  /** The last columns of the index, which order the list. With the leading ones they are unique. */
  order: readonly string[];
  /** Whether the first column of the order holds numbers. All others hold texts. */
  isNumber?: boolean | undefined;
  /** Whether the list goes from last to first. */
  descending?: boolean | undefined;
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
  const rowsMax = request.limit + 1;
  const selected = list.order.includes('id') ? list.order : [...list.order, 'id'];
  return firstKeys(rowsInRanges(list, request, selected), {
    order: list.order,
    direction: directionOf(list, request),
    rowsMax,
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
  /** Each range selects these columns, and `id`. */
  order: readonly string[];
  direction: 'asc' | 'desc';
  rowsMax: number;
}

/** The ids of the first rows of several ranges together. Each range is a query for as many rows in the same order. */
export function firstKeys(ranges: RawBuilder<unknown>[], { order, direction, rowsMax }: First): RawBuilder<string> {
  const all = ranges.map((range) => sql`select * from (${range}) as one_range`);
  return sql`(
    select id from (${sql.join(all, sql` union all `)}) as all_ranges
    order by ${sorted(order, direction)} limit ${rowsMax})`;
}

function boundsOf(
  { order, prefix, isNumber = false, descending = false }: IndexRanges,
  { position }: PageRequest,
): { low: string[]; high: string[] } {
  if (prefix !== undefined && position?.values[0]?.startsWith(prefix) === false) throw new ForeignPosition();
  const [first, last] = isNumber ? numbers : [prefix ?? '', `${prefix ?? ''}${lastText}`];
  const rest = order.slice(1).map(() => '');
  const bounds = { low: [first, ...rest], high: [last, ...rest] };
  if (position) bounds[isUpper(position, descending) ? 'high' : 'low'] = position.values;
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
