import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { openSqliteDatabase } from '../database.ts';
import type { ReadError } from './reader-messages.ts';

// The program of a thread that reads long lists, which `SnapshotThread` starts. It imports little, so that it starts fast.

/** The next step for a snapshot. A step for a query returns its next rows; the first one has its SQL. */
export type SnapshotStep =
  | { open: string }
  | { query: number; rowsMax: number; sql?: string; values?: readonly unknown[] }
  | { close: true };

export interface SnapshotRequest {
  id: number;
  snapshot: number;
  step: SnapshotStep;
}

/** The first rows of a query have the names of its columns. */
export type SnapshotResult = { rows: SQLOutputValue[][]; names?: string[] } | { error: ReadError };
export type SnapshotResponse = { id: number; result: SnapshotResult };

type Rows = IterableIterator<unknown>;

interface OpenSnapshot {
  database: DatabaseSync;
  /** Those that have more rows. */
  queries: Map<number, Rows>;
}

const snapshots = new Map<number, OpenSnapshot>();

parentPort?.on('message', ({ id, snapshot, step }: SnapshotRequest) => {
  const response: SnapshotResponse = { id, result: resultOf(snapshot, step) };
  parentPort?.postMessage(response);
});

function resultOf(id: number, step: SnapshotStep): SnapshotResult {
  try {
    if ('open' in step) return open(id, step.open);
    const snapshot = snapshots.get(id) as OpenSnapshot;
    return 'close' in step ? close(id, snapshot) : nextRows(snapshot, step);
  } catch (error) {
    const { message, code, errcode } = error as ReadError;
    return { error: { message, code, errcode } };
  }
}

function open(id: number, location: string): SnapshotResult {
  const database = openSqliteDatabase(location, { readOnly: true });
  snapshots.set(id, { database, queries: new Map() });
  // A transaction begins with its first query.
  database.exec('begin; select 1 from sqlite_master limit 1');
  return { rows: [] };
}

function close(id: number, { database }: OpenSnapshot): SnapshotResult {
  snapshots.delete(id);
  database.close();
  return { rows: [] };
}

function nextRows({ database, queries }: OpenSnapshot, step: Extract<SnapshotStep, { query: number }>): SnapshotResult {
  const { query, rowsMax, sql, values = [] } = step;
  if (sql === undefined) return { rows: take(queries, query, rowsMax) };
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  queries.set(query, statement.iterate(...(values as SQLInputValue[])));
  return { rows: take(queries, query, rowsMax), names: statement.columns().map(({ name }) => name) };
}

function take(queries: Map<number, Rows>, query: number, rowsMax: number): SQLOutputValue[][] {
  const iterator = queries.get(query) as Rows;
  const rows: SQLOutputValue[][] = [];
  // Not the method `take`, which would end the iteration.
  while (rows.length < rowsMax) {
    const { done, value } = iterator.next();
    if (done) {
      queries.delete(query);
      break;
    }
    // An array, because of `setReturnArrays`.
    rows.push(value as SQLOutputValue[]);
  }
  return rows;
}
