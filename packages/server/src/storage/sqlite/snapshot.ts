import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type SnapshotWork, streamRowsMax } from '../snapshot.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { SqliteConnection } from './connection.ts';
import { openSqliteDatabase } from './database.ts';
import { asStorageFailure } from './failure.ts';
import { SqliteQuery, valuesOf } from './query.ts';

/** A separate connection, because an iterating statement cannot be reused. A read transaction is open on it. */
export interface SnapshotConnection {
  database: DatabaseSync;
  close(): void;
}

/** Runs the work in the transaction of a connection. Closes the connection however the work or its reader ends. */
export async function* sqliteSnapshot<Item>(
  open: () => SnapshotConnection | Promise<SnapshotConnection>,
  builder: QueryBuilder,
  work: SnapshotWork<Item>,
): AsyncGenerator<Item, undefined> {
  const connection = await orFailure(open);
  try {
    const reader = new SqliteConnection(connection.database, builder, asStorageFailure);
    yield* work({
      builder,
      rows: async (statement) => {
        await yieldToOthers();
        return reader.rows(statement);
      },
      stream: (statement, { rowsMax = streamRowsMax } = {}) => stream(connection.database, statement, rowsMax),
    });
  } finally {
    connection.close();
  }
}

/** A snapshot of a file at this moment. */
export function openFileSnapshot(location: string): SnapshotConnection {
  const database = openSqliteDatabase(location, { readOnly: true });
  // A transaction begins with its first query.
  database.exec('begin; select 1 from sqlite_master limit 1');
  return { database, close: () => database.close() };
}

/** A snapshot of an in-memory database, to which no other connection is possible: a copy made between writes. */
export function openMemorySnapshot(source: DatabaseSync): SnapshotConnection {
  const folder = mkdtempSync(join(tmpdir(), 'app-registry-'));
  const end = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'snapshot.db');
    source.prepare('vacuum into ?').run(copy);
    const database = openCopy(copy);
    database.exec('begin');
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
  // `vacuum into` writes a file without a log, and a reader cannot create one.
  openSqliteDatabase(file, { readOnly: false }).close();
  return openSqliteDatabase(file, { readOnly: true });
}

async function* stream<Row>(
  database: DatabaseSync,
  statement: Statement<Row>,
  rowsMax: number,
): AsyncGenerator<Row[], undefined> {
  const query = await orFailure(() => new SqliteQuery(database, statement.sql));
  const next = await orFailure(() => query.batches<Row>(valuesOf(statement), rowsMax));
  for (;;) {
    const batch = await orFailure(next);
    if (batch.length > 0) yield batch;
    if (batch.length < rowsMax) return;
    await yieldToOthers();
  }
}

/** SQLite blocks this thread: a long list must let other requests run. */
async function yieldToOthers(): Promise<void> {
  await new Promise(setImmediate);
}

async function orFailure<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
