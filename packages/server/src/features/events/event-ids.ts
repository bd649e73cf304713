import { nextId } from '../../kernel/type-id.ts';
import type { Connection } from '../../storage/query.ts';
import { findNewestEventId } from './event-queries.ts';

/** The id of an event at a time, in milliseconds: greater than all that it has returned before. */
export type NextEventId = (at: number) => string;

/**
 * Makes the ids of new events, by which events are ordered: each is greater than every id that is stored now, and never
 * behind the clock (0022). Read them after the lock of the object that changes, so that the ids of its events have the
 * order of its changes. The same round trip suffices.
 */
export async function readEventIds(transaction: Connection): Promise<NextEventId> {
  const newest = await findNewestEventId(transaction, {});
  let last = newest?.id ?? null;
  return (at) => {
    last = nextId('event', last, at);
    return last;
  };
}
