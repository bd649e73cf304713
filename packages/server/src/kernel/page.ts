import { createHash } from 'node:crypto';
import Type from 'typebox';
import { countRows, estimateRows, type ListedIds } from '../storage/kernel-queries.ts';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../storage/row-pages.ts';
import type { Tables } from '../storage/tables.ts';
import { PlatformIds, throwIfInvalid } from './check.ts';
import { invalidContent } from './failure.ts';
import type { ValidationError } from './problem-details.ts';
import type { Registry } from './registry.ts';

/** A cursor can contain the comparison key of a name: up to 3,300 bytes for 100 characters, 4,400 in base64. */
const cursorLengthMax = 5_000;
export const Cursor = Type.String({
  minLength: 1,
  maxLength: cursorLengthMax,
  description: 'An opaque cursor, copied unchanged from an earlier page.',
});

/** The number of objects on a page. */
export const pageLimits = { default: 20, max: 100 };

/** Interface 2.9: the response of every list extends this. */
const Page = Type.Object(
  {
    nextCursor: Type.Optional(Cursor),
    prevCursor: Type.Optional(Cursor),
  },
  { $id: 'Page', description: 'The cursors of the next and previous pages, absent where there is none.' },
);
type Page = Type.Static<typeof Page>;

/** One page of a list of such items. */
export type PageOf<Item> = Page & { items: Item[] };

/** The same, as a schema. */
export function pageOf<Item extends Type.TSchema>(item: Item, name: string) {
  return Type.Object(
    { items: Type.Array(item), ...Page.properties },
    { $id: `${name}Page`, description: 'One page of a list.' },
  );
}

/** The query parameters of every list, beside its filters. */
export const pageParameters = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageLimits.max })),
};
type PageParameters = { cursor?: string | undefined; limit?: number | undefined };

/** The query parameter of a list that can have chosen objects only. */
export const idsParameter = {
  ids: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 5_000,
      description: `Up to ${pageLimits.max} ids separated by commas. Unknown ids are ignored. Can be combined only with \`cursor\`, \`limit\` and \`withTotal\`.`,
    }),
  ),
};

/** The orders by these names, in both directions. */
function sortsOf<Name extends string>(names: readonly Name[]): (Name | `-${Name}`)[] {
  return names.flatMap((name) => [name, `-${name}` as const]);
}

/** The query parameter of a list that can be sorted. */
export function sortParameter<Name extends string>(names: readonly Name[]) {
  return {
    sort: Type.Optional(
      Type.Unsafe<Name | `-${Name}`>({
        type: 'string',
        enum: sortsOf(names),
        description: 'The sort order. A leading minus sign reverses it.',
      }),
    ),
  };
}

/** Up to this many the total of a list is counted; beyond, it is an estimate. */
export const totalMax = 10_000;

/** The query parameter of a list that can say how many items it has. */
export const totalParameter = {
  withTotal: Type.Optional(Type.Boolean({ description: 'Whether the response includes the total number of items.' })),
};

/** One page of a list, and how many items that has. */
export function totalPageOf<Item extends Type.TSchema>(item: Item, name: string) {
  return Type.Object(
    { ...pageOf(item, name).properties, ...totalFields },
    { $id: `${name}Page`, description: 'One page of a list, with `total` if `withTotal` is true.' },
  );
}

/** What its pages then have. */
export const totalFields = {
  total: Type.Optional(Type.Integer({ minimum: 0, description: 'The total number of items, if `withTotal` is true.' })),
  totalIsEstimate: Type.Optional(
    Type.Boolean({
      description:
        'Whether the total is an estimate, which it is above 10,000 items. With a filter, the estimate may be 10,000, which means at least that many.',
    }),
  ),
};
export type Total = { total: number; totalIsEstimate: boolean };

/** The columns that order a list, of which the last makes it unambiguous. */
interface Sorting<Column extends string> {
  order: readonly Column[];
  descending: boolean;
}

/** The order that a `sort` names: that of its columns, or from last to first with a minus sign. */
export function sortingOf<Name extends string, Column extends string>(
  sort: Name | `-${Name}`,
  orders: Record<Name, readonly Column[]>,
): Sorting<Column> {
  const descending = sort.startsWith('-');
  return { order: orders[(descending ? sort.slice(1) : sort) as Name], descending };
}

interface List<Row, Item> {
  /** Distinguishes the list from every other. */
  name: string;
  read: (request: PageRequest) => Promise<PageOfRows<Row>>;
  view: (row: Row) => Item;
}

/**
 * One page of a list (interface 2.9), each row as its view. Expects valid parameters, all others of which
 * are its filters, except for the content of the cursor: refuses one that does not belong to this list, with these
 * filters, with `invalid_content`.
 */
export async function readPage<Row, Item>(
  { cursor, limit = pageLimits.default, ...filters }: PageParameters,
  { name, read, view }: List<Row, Item>,
): Promise<PageOf<Item>> {
  const list = listHash(name, filters);
  const position = cursor === undefined ? undefined : readCursor(cursor, list);
  try {
    const { rows, next, prev } = await read({ limit, position });
    return {
      items: rows.map(view),
      ...(next && { nextCursor: cursorOf(next, list) }),
      ...(prev && { prevCursor: cursorOf(prev, list) }),
    };
  } catch (error) {
    throw error instanceof ForeignPosition ? invalidCursor() : error;
  }
}

/** Identifies a list with its filters. Short, as it only guards against mistakes. */
function listHash(name: string, filters: object): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([name, ...given.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

function cursorOf({ side, values }: Position, list: string): string {
  return Buffer.from(JSON.stringify([side, list, ...values])).toString('base64url');
}

function readCursor(cursor: string, list: string): Position {
  const [side, , ...values] = parsed(cursor);
  if ((side === 'after' || side === 'before') && values.every(isStorable)) {
    const position: Position = { side, values };
    if (cursorOf(position, list) === cursor) return position;
  }
  throw invalidCursor();
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** PostgreSQL rejects NUL and lone surrogates, even in query parameters. */
function isStorable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

function invalidCursor() {
  return invalidContent([
    {
      pointer: '/cursor',
      code: 'invalid_format',
      detail:
        'The value must be a cursor that this list returned for the same filters. Omit it to start at the first page.',
    },
  ]);
}

interface CountedList {
  table: keyof Tables;
  /** Whether the list leaves rows of the table out. */
  isFiltered: boolean;
  /** Selects the ids of the first ones of the list, up to a limit. */
  ids(limit: number): ListedIds;
}

/**
 * The number of items in a list. Exact up to `totalMax`. Above that, an estimate for a whole table, and `totalMax` for
 * a filtered list.
 */
export async function listTotal({ storage }: Registry, { table, isFiltered, ids }: CountedList): Promise<Total> {
  const counted = await countRows(storage.reader, ids(totalMax + 1));
  if (counted <= totalMax) return { total: counted, totalIsEstimate: false };
  const total = isFiltered ? totalMax : Math.max(totalMax, await estimateRows(storage, table));
  return { total, totalIsEstimate: true };
}

/** The ids of `idsParameter`, none of `others` being given. Refuses with `invalid_content`. */
export function readListedIds(list: string, prefix: string, others: Record<string, unknown>): string[] {
  const platformIds = new PlatformIds();
  const ids = list.split(',').map((id) => platformIds.read(id.trim(), prefix, '/ids'));
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  throwIfInvalid([...platformIds.errors, ...notAllowed(ids, isFiltered)]);
  return ids;
}

function notAllowed(ids: string[], isFiltered: boolean): ValidationError[] {
  const error = { pointer: '/ids', code: 'not_allowed' } as const;
  if (isFiltered) return [{ ...error, detail: 'With ids, omit filters and the order.' }];
  return ids.length <= pageLimits.max ? [] : [{ ...error, detail: `Give at most ${pageLimits.max} ids.` }];
}
