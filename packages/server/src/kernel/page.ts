import { createHash } from 'node:crypto';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../storage/page.ts';
import { invalidContent } from './failure.ts';
import { type PageOf, type PageParameters, pageLimits } from './page-parameters.ts';

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
