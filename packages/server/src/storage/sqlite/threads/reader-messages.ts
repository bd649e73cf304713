import type { SQLOutputValue } from 'node:sqlite';

/** Messages to the thread. */
export type ReaderMessage =
  | { open: number; location: string }
  | { close: number }
  | { name: string; sql: string }
  | { reads: ReadRequest[] };

/** `query` is the name of a statement that was sent before, or SQL. Arrays are copied faster than objects. */
export type ReadRequest = [connection: number, query: string, values: readonly unknown[]];

/** Messages from the thread: the next results of its reads, in order, or the closing of a connection. */
export type ReaderResponse = { results: ReadResult[]; isDone: boolean } | { closed: number };

/** `names` are the columns: of a named statement once, of any other always. */
export type ReadResult = { rows: SQLOutputValue[][]; names: string[] | undefined } | { error: ReadError };

/** The parts of an error of the driver, most of which a copied `Error` would lose. */
export interface ReadError {
  message: string;
  code?: unknown;
  errcode?: unknown;
}

/** Shared with the thread that serves: how many reads have begun, and whether the others are no longer wanted. */
export const progressAt = { begun: 0, isStopped: 1 };
