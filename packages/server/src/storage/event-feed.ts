import type { RawBuilder } from 'kysely';

/** The place of an event in the feed, which has the order of positions, and of ids within one. */
export interface FeedPlace {
  position: number;
  id: string;
}

/** Before all events. */
export const feedStart: FeedPlace = { position: 0, id: '' };

/**
 * The order in which an engine feeds events, so that none is ever stored behind one that could be read: what a reader has
 * seen is complete (0034).
 */
export interface FeedOrder {
  /** The position of an event; 0 for all where ids alone have that order. */
  position: RawBuilder<number>;
  /** The columns of an index with that order. */
  columns: readonly string[];
  /** Whether an event is after a place. */
  isAfter(place: FeedPlace): RawBuilder<boolean>;
  /** An unfinished transaction may still store events at this position or after it, and at none before; null without one. */
  horizon: RawBuilder<number> | null;
  /** Whether an event has a position that no transaction of this server has reached, as after the restore of a dump. */
  isForeign: RawBuilder<boolean> | null;
}
