import { createHash } from 'node:crypto';
import Type from 'typebox';
import { countRows, estimateRows, type ListedIds } from '../storage/kernel-queries.ts';
import {
  ForeignPosition,
  isTime,
  type PageOfRows,
  type PageRequest,
  type Position,
  type Sorting,
} from '../storage/row-pages.ts';
import type { Tables } from '../storage/tables.ts';
import { check, PlatformIds, throwIfInvalid } from './check.ts';
import { invalidContent } from './failure.ts';
import type { ValidationError } from './problem-details.ts';
import type { Registry } from './registry.ts';
import { DateTime } from './text.ts';

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

/** Several values for a parameter, which is repeated for each. */
export function repeated<Value extends Type.TSchema>(value: Value, description: string) {
  return Type.Optional(
    Type.Array(value, {
      minItems: 1,
      maxItems: pageLimits.max,
      uniqueItems: true,
      description: `${description} If there are several, any of them matches.`,
    }),
  );
}

/** The query parameter of a list that can have chosen objects only. */
export const idsParameter = {
  ids: repeated(
    Type.String({ minLength: 1, maxLength: 100 }),
    `Only objects with these ids, up to ${pageLimits.max}. Unknown ids are ignored. Can be combined only with \`cursor\`, \`limit\` and \`withTotal\`.`,
  ),
};

/** A name of an order, in both directions. */
export type Sort<Name extends string> = Name | `-${Name}`;

/** The query parameter of a list that can be sorted by these fields, in both directions. */
export function sortParameter<Name extends string>(
  names: readonly Name[],
  byDefault: NoInfer<Sort<Name>> | { described: string },
) {
  const sorts = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  return typeof byDefault === 'string' ? orderParameter(sorts, byDefault) : orderParameter(sorts, byDefault);
}

/** The query parameter of a list that has these orders alone. */
export function orderParameter<Order extends string>(
  orders: readonly Order[],
  byDefault: NoInfer<Order> | { described: string },
) {
  const reversed = orders.length > 1 ? ' A leading minus sign reverses it.' : '';
  const described = typeof byDefault === 'string' ? `\`${byDefault}\`` : byDefault.described;
  return {
    sort: Type.Optional(
      Type.Unsafe<Order>({
        type: 'string',
        enum: orders,
        ...(typeof byDefault === 'string' && { default: byDefault }),
        description: `The sort order, by default ${described}.${reversed}`,
      }),
    ),
  };
}

/** The query parameters of a list that is sorted by a time. */
export function timeParameters(time: string) {
  return {
    since: Type.Optional(
      Type.Unsafe<string>({ ...DateTime, description: `Only items whose ${time} is at or after this time.` }),
    ),
    until: Type.Optional(
      Type.Unsafe<string>({ ...DateTime, description: `Only items whose ${time} is before this time.` }),
    ),
  };
}

/** Up to this many the total of a list is counted; beyond, it is an estimate. */
export const totalMax = 10_000;

/** The query parameter of a list that can say how many items it has. */
export const totalParameter = {
  withTotal: Type.Optional(Type.Boolean({ description: 'Whether the response includes the total number of items.' })),
};

/** What its pages then have. */
export const totalFields = {
  total: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The total number of items, if `withTotal` is true and it is known.' }),
  ),
  estimatedTotal: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Instead of `total`, above 10,000 items: an estimate. With a filter, it may be 10,000, which means at least that many.',
    }),
  ),
};
export type Total = { total: number } | { estimatedTotal: number };

/** One page of a list, and how many items that has. */
export function totalPageOf<Item extends Type.TSchema>(item: Item, name: string) {
  return Type.Object(
    { ...pageOf(item, name).properties, ...totalFields },
    { $id: `${name}Page`, description: 'One page of a list, with its total if `withTotal` is true.' },
  );
}

interface Ordered<Name extends string> {
  sort?: Sort<Name> | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/**
 * The order that a `sort` names, that of its columns or from last to first with a minus sign, between `since` and `until`.
 * Refuses those with `invalid_content` if the first column is not a time.
 */
export function sortingOf<Name extends string, Column extends string>(
  { sort, since, until }: Ordered<Name>,
  orders: Record<Name, readonly Column[]>,
  byDefault: NoInfer<Sort<Name>>,
): Sorting<Column> {
  const given = sort ?? byDefault;
  const descending = given.startsWith('-');
  const order = orders[(descending ? given.slice(1) : given) as Name];
  if (!isTime(order[0])) throwIfInvalid(notByTime({ since, until }, orders));
  const [, ...others] = order.map(() => '');
  const at = (time: string) => [`${Date.parse(time)}`, ...others];
  return {
    order,
    descending,
    ...(since !== undefined && { from: at(since) }),
    ...(until !== undefined && { until: at(until) }),
  };
}

function notByTime(times: Record<string, unknown>, orders: Record<string, readonly string[]>): ValidationError[] {
  const sorts = Object.entries(orders).flatMap(([name, [first]]) => (isTime(first) ? [name] : []));
  const detail = `Times bound only what the list is sorted by. Sort by ${sorts.join(' or ')}.`;
  return Object.entries(times).flatMap(([name, time]) =>
    time === undefined ? [] : [{ pointer: `/${name}`, code: 'not_allowed', detail } as const],
  );
}

interface List<Row, Item> {
  /** Distinguishes the list from every other. */
  name: string;
  /** The `sort` that the list has without one. */
  byDefault: string;
  /** The filters that can be written in several ways, each in one of them. */
  filters?: Record<string, unknown>;
  read: (request: PageRequest) => Promise<PageOfRows<Row>>;
  view: (row: Row) => Item;
}

/**
 * One page of a list (interface 2.9), each row as its view. Expects valid parameters, all others of which
 * are its filters, except for the content of the cursor: refuses one that does not belong to this list, with these
 * filters, with `invalid_content`.
 */
export async function readPage<Row, Item>(
  { cursor, limit = pageLimits.default, ...given }: PageParameters,
  { name, byDefault, filters: inOneWay, read, view }: List<Row, Item>,
): Promise<PageOf<Item>> {
  const list = listHash(name, { ...withoutNotations(given, byDefault), ...inOneWay });
  // A cursor can also be bound to the filters as they are written.
  const position = cursor === undefined ? undefined : readCursor(cursor, [list, listHash(name, given)]);
  try {
    const page = await read({ limit, position });
    // All objects before the cursor were deleted, so the page that leads on is the first one.
    const isGone = position?.side === 'before' && page.rows.length === 0 && !page.next && !page.prev;
    const { rows, next, prev } = isGone ? await read({ limit }) : page;
    return {
      items: rows.map(view),
      ...(next && { nextCursor: cursorOf(next, list) }),
      ...(prev && { prevCursor: cursorOf(prev, list) }),
    };
  } catch (error) {
    throw error instanceof ForeignPosition ? invalidCursor() : error;
  }
}

/** Without an order that is the default, and with times in one notation. */
function withoutNotations(
  { sort, since, until, ...filters }: Ordered<string>,
  byDefault: string,
): Record<string, unknown> {
  return {
    ...filters,
    sort: sort === byDefault ? undefined : sort,
    since: oneNotation(since),
    until: oneNotation(until),
  };
}

/** An event id stays as it is. */
function oneNotation(time: string | undefined): string | undefined {
  return time === undefined || check(DateTime, time) ? time : new Date(time).toISOString();
}

/** Identifies a list with its filters. Short, as it only guards against mistakes. */
function listHash(name: string, filters: object): string {
  const given = Object.entries(filters).flatMap(([filter, value]) =>
    value === undefined ? [] : [[filter, Array.isArray(value) ? value.toSorted() : value] as const],
  );
  const text = JSON.stringify([name, ...given.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/**
 * A later release reads this too: a client may have a cursor from before an upgrade. One that cannot, for example because
 * the order of a list has changed, writes another version, and still reads this one where it can.
 */
const cursorVersion = 1;

function cursorOf({ side, values }: Position, list: string): string {
  return Buffer.from(JSON.stringify([cursorVersion, side, list, ...values])).toString('base64url');
}

function readCursor(cursor: string, lists: string[]): Position {
  const [, side, , ...values] = parsed(cursor);
  if ((side === 'after' || side === 'before') && values.every(isStorable)) {
    const position: Position = { side, values };
    if (lists.some((list) => cursorOf(position, list) === cursor)) return position;
  }
  throw invalidCursor();
}

/** The values in a cursor; none if the text is no cursor. */
export function parsed(cursor: string): unknown[] {
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

export function invalidCursor() {
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
  if (counted <= totalMax) return { total: counted };
  return { estimatedTotal: isFiltered ? totalMax : Math.max(totalMax, await estimateRows(storage, table)) };
}

/** The ids of `idsParameter`, none of `others` being given. Refuses with `invalid_content`. */
export function readListedIds(given: string[], prefix: string, others: Record<string, unknown>): string[] {
  const platformIds = new PlatformIds();
  const ids = given.map((id, at) => platformIds.read(id, prefix, `/ids/${at}`));
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  const notAllowed = { pointer: '/ids', code: 'not_allowed', detail: 'With ids, omit filters and the order.' } as const;
  throwIfInvalid([...platformIds.errors, ...(isFiltered ? [notAllowed] : [])]);
  return ids;
}
