import { Failure, invalidContent } from '../../../kernel/failure.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { isTypeId } from '../../../kernel/type-id.ts';
import { type FeedPlace, feedStart } from '../../../storage/event-feed.ts';

/** Names the last event that was read, in the database of this epoch. */
export function cursorOf({ epoch }: Pick<Registry, 'epoch'>, { position, id }: FeedPlace): string {
  return Buffer.from(JSON.stringify([epoch.slice(0, 8), position, id])).toString('base64url');
}

/** Refuses an invalid cursor with `invalid_content`, and one from before a restore with `cursor_expired`. */
export function readCursor(registry: Pick<Registry, 'epoch'>, cursor: string): FeedPlace {
  const [epoch, position, id] = parsed(cursor);
  const isPlace = Number.isSafeInteger(position) && typeof id === 'string' && (id === '' || isTypeId(id, 'event'));
  if (typeof epoch !== 'string' || !isPlace) throw invalidCursor();
  const place = { position: Number(position), id };
  if (cursorOf({ epoch }, place) !== cursor) throw invalidCursor();
  if (cursorOf(registry, place) !== cursor)
    throw cursorExpired('The registry was restored after this cursor was returned.');
  return place.id === '' ? feedStart : place;
}

/** `reason` is a full sentence. */
export function cursorExpired(reason: string): Failure {
  return new Failure(
    'cursor_expired',
    `${reason} Read again from an earlier time, such as after=2026-03-01T09:30:00Z, or from the start, and skip the events whose ids you have already processed.`,
  );
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function invalidCursor(): Failure {
  return invalidContent([
    {
      pointer: '/after',
      code: 'invalid_format',
      detail:
        'The value must be the nextCursor of an earlier response, "start", "now", or a UTC time such as 2026-03-01T09:30:00.000Z.',
    },
  ]);
}
