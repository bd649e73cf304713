import { type PageOf, type PageParameters, pageLimits } from '../contract/page.ts';
import { ForeignPosition, type PageOfRows, type PageRequest, type Position } from '../storage/page.ts';
import { invalidContent } from './failure.ts';

interface List<Row, Item> {
  read: (request: PageRequest) => Promise<PageOfRows<Row>>;
  view: (row: Row) => Item;
}

/**
 * One page of a list (interface 2.9, decision 33), each row as its view. Expects valid parameters, except for
 * the content of the cursor: refuses one that does not belong to this list with `invalid_content`.
 */
export async function readPage<Row, Item>(
  { cursor, limit = pageLimits.default }: PageParameters,
  { read, view }: List<Row, Item>,
): Promise<PageOf<Item>> {
  const position = cursor === undefined ? undefined : readCursor(cursor);
  try {
    const { rows, next, prev } = await read({ limit, position });
    return {
      items: rows.map(view),
      ...(next && { nextCursor: cursorOf(next) }),
      ...(prev && { prevCursor: cursorOf(prev) }),
    };
  } catch (error) {
    throw error instanceof ForeignPosition ? invalidCursor() : error;
  }
}

function cursorOf({ side, values }: Position): string {
  return Buffer.from(JSON.stringify([side, ...values])).toString('base64url');
}

function readCursor(cursor: string): Position {
  const [side, ...values] = parsed(cursor);
  if ((side === 'after' || side === 'before') && values.every(isStorable)) {
    const position: Position = { side, values };
    if (cursorOf(position) === cursor) return position;
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
      detail: 'The value must be a cursor that this list returned. Leave it out to start at the first page.',
    },
  ]);
}
