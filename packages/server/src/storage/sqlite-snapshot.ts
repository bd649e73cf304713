import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { requireValues } from './query.ts';
import { type SnapshotWork, streamRowsMax } from './snapshot.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import type { QueryBuilder, Statement } from './statement.ts';

/** A connection of its own: a statement that is being iterated cannot be used for anything else. */
export interface SnapshotConnection {
  database: DatabaseSync;
  close(): void;
}

/** Does the work in one read transaction. Closes the connection whichever way the work or its reader ends. */
export async function* sqliteSnapshot<Item>(
  open: () => SnapshotConnection | Promise<SnapshotConnection>,
  builder: QueryBuilder,
  work: SnapshotWork<Item>,
): AsyncGenerator<Item, undefined> {
  const connection = await orFailure(open);
  try {
    await orFailure(() => connection.database.exec('begin'));
    yield* work({
      builder,
      stream: (statement, { rowsMax = streamRowsMax } = {}) => stream(connection.database, statement, rowsMax),
    });
  } finally {
    connection.close();
  }
}

/** Of a file. The snapshot is that of the first query. */
export function openFileSnapshot(location: string): SnapshotConnection {
  const database = openSqliteDatabase(location, { readOnly: true });
  return { database, close: () => database.close() };
}

/** Of a database in memory, which nobody else can connect to: a copy, while no write is under way. */
export function openMemorySnapshot(source: DatabaseSync): SnapshotConnection {
  const folder = mkdtempSync(join(tmpdir(), 'app-registry-'));
  const end = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'snapshot.db');
    source.prepare('vacuum into ?').run(copy);
    const database = openCopy(copy);
    return {
      database,
      close: () => {
        database.close();
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

function openCopy(file: string): DatabaseSync {
  // What `vacuum into` writes has no log; a reader cannot begin one.
  openSqliteDatabase(file, { readOnly: false }).close();
  return openSqliteDatabase(file, { readOnly: true });
}

async function* stream<Row>(
  database: DatabaseSync,
  { sql, parameters }: Statement<Row>,
  rowsMax: number,
): AsyncGenerator<Row[], undefined> {
  const values = requireValues(parameters, sql) as SQLInputValue[];
  const prepared = await orFailure(() => database.prepare(sql));
  const names = prepared.columns().map(({ name }) => name);
  // As an object of the driver a row outlives some collections of garbage.
  prepared.setReturnArrays(true);
  const rows = await orFailure(() => prepared.iterate(...values) as Iterator<unknown>);
  for (;;) {
    const batch = await orFailure(() => next<Row>(rows as Iterator<unknown[]>, names, rowsMax));
    if (batch.length > 0) yield batch;
    if (batch.length < rowsMax) return;
    // SQLite answers at once: a long list must not keep everybody else waiting.
    await new Promise(setImmediate);
  }
}

/** Not `take`, which ends the iteration. */
function next<Row>(rows: Iterator<unknown[]>, names: string[], count: number): Row[] {
  const batch: Row[] = [];
  while (batch.length < count) {
    const { done, value } = rows.next();
    if (done) break;
    batch.push(toObject(names, value) as Row);
  }
  return batch;
}

function toObject(names: string[], values: unknown[]): object {
  const row: Record<string, unknown> = {};
  names.forEach((name, at) => {
    row[name] = values[at];
  });
  return row;
}

async function orFailure<Result>(ask: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
