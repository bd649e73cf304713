import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Builds and types the queries of one engine. It only compiles; a connection executes. */
export type QueryBuilder = Kysely<Tables>;

/** A compiled query with its values. A named one runs repeatedly and is worth preparing. */
export type Statement<Row = unknown> = CompiledQuery<Row> & { readonly name?: string };

/** Executes queries. */
export interface Reader {
  readonly builder: QueryBuilder;
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
}

/** The database at one moment, regardless of later writes. */
export interface Snapshot extends Reader {
  /**
   * The rows of a query in its order, in batches of at most `rowsMax`; no more are held in memory. Fetches a batch when
   * the consumer requests it. Several streams may be read in turn.
   */
  stream<Row>(statement: Statement<Row>, options?: { rowsMax?: number }): AsyncIterable<Row[]>;
}

/** Work that reads from a snapshot: a generator of its results. */
export type SnapshotWork<Item> = (snapshot: Snapshot) => AsyncIterable<Item>;

/** A few hundred kilobytes of installations or apps. */
export const streamRowsMax = 500;
