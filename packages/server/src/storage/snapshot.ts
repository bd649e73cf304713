import type { Reader } from './query.ts';
import type { Statement } from './statement.ts';

/** The database at one moment, whatever is written meanwhile. */
export interface Snapshot extends Reader {
  /**
   * The rows of a query, in its order, at most `rowsMax` at a time: no more of them are ever held. Asks
   * for the next ones when the consumer does. Several queries may be read in turns.
   */
  stream<Row>(statement: Statement<Row>, options?: { rowsMax?: number }): AsyncIterable<Row[]>;
}

/** What is read of a snapshot: a generator that yields as it goes along. */
export type SnapshotWork<Item> = (snapshot: Snapshot) => AsyncIterable<Item>;

/** Some hundred kilobytes of installations or apps. */
export const streamRowsMax = 500;
