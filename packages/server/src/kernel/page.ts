import { createHash } from 'node:crypto';
import { countRows, estimateRows, type ListedIds } from '../storage/kernel-queries.ts';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../storage/page.ts';
import type { Tables } from '../storage/tables.ts';
import { PlatformIds } from './check.ts';
import { invalidContent, throwIfInvalid } from './failure.ts';
import { type PageOf, type PageParameters, pageLimits, type Total, totalMax } from './page-parameters.ts';
import type { ValidationError } from './problem-details.ts';
import type { Registry } from './registry.ts';

interface List<Row, Item> {
  /** Distinguishes the list from every other. */
  name: string;
  read: (request: PageRequest) => Promise<PageOfRows<Row>>;
  view: (row: Row) => Item;
}

/**
 * One page of a list (interface 2.9, decision 33), each row as its view. Expects valid parameters, all others of which
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
