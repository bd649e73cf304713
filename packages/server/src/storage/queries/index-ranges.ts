import { type RawBuilder, sql } from 'kysely';
import { ForeignPosition, type PageRequest } from '../page.ts';
import type { Tables } from '../tables.ts';

/** A list that is made of whole ranges of one index. */
export interface IndexRanges {
  table: keyof Tables;
  /** The columns that the index begins with. */
  leading: readonly string[];
  /** For each range its values in those. */
  ranges: readonly (readonly (string | number)[])[];
  /** The columns that the index ends with, in which the list is ordered. The last of them is the key of the table. */
  order: readonly string[];
  /** How the first column of the order begins. */
  prefix?: string | undefined;
  /** What the rows meet beside that; nearly all do. */
  also?: RawBuilder<boolean>;
}

/** More of the character that sorts after all others than any text that lists are ordered by can have. */
const lastText = '\u{10ffff}'.repeat(101);

/**
 * The keys of the rows on one page and of one more, to select those rows by. It reads no more of the index than a
 * page of each range, whatever the planner takes the values to be. For that the whole index is compared and ordered
 * by: after an equality PostgreSQL would leave the column out of the order, and rather look through the whole
 * table by its key; and of two bounds on one side SQLite would search by either. Throws `ForeignPosition`.
 */
export function keysInRanges(list: IndexRanges, request: PageRequest): RawBuilder<string> {
  const { order } = list;
  const direction = request.position?.side === 'before' ? 'desc' : 'asc';
  const rowsMax = request.limit + 1;
  const { low, high } = boundsOf(list, request);
  const columns = [...list.leading, ...order];
  const index = names(columns);
  const also = list.also ? sql`and ${list.also}` : sql``;
  const ranges = list.ranges.map(
    (values) => sql`select ${names(order)} from ${sql.table(list.table)}
      where (${index}) > (${sql.join([...values, ...low])}) and (${index}) < (${sql.join([...values, ...high])}) ${also}
      order by ${sorted(columns, direction)} limit ${rowsMax}`,
  );
  return firstKeys(ranges, { order, direction, rowsMax });
}

interface First {
  /** Columns that each range selects. The last of them is the key. */
  order: readonly string[];
  direction: 'asc' | 'desc';
  rowsMax: number;
}

/** The keys of the first rows of several ranges together. Each is a query for as many, in its order. */
export function firstKeys(ranges: RawBuilder<unknown>[], { order, direction, rowsMax }: First): RawBuilder<string> {
  const key = sql.ref(order.at(-1) as string);
  const all = ranges.map((range) => sql`select * from (${range}) as one_range`);
  return sql`(
    select ${key} from (${sql.join(all, sql` union all `)}) as all_ranges
    order by ${sorted(order, direction)} limit ${rowsMax})`;
}

function boundsOf({ order, prefix }: IndexRanges, { position }: PageRequest): { low: string[]; high: string[] } {
  if (prefix !== undefined && position?.values[0]?.startsWith(prefix) === false) throw new ForeignPosition();
  const rest = order.slice(1).map(() => '');
  const bounds = { low: [prefix ?? '', ...rest], high: [`${prefix ?? ''}${lastText}`, ...rest] };
  if (position) bounds[position.side === 'after' ? 'low' : 'high'] = position.values;
  return bounds;
}

function sorted(columns: readonly string[], direction: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`));
}

function names(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(name)));
}
