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
    const reader = new SqliteConnection(connection.database, builder, asStorageFailure);
    yield* work({
      builder,
      rows: async (statement) => {
        await othersFirst();
        return reader.rows(statement);
      },
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
  statement: Statement<Row>,
  rowsMax: number,
): AsyncGenerator<Row[], undefined> {
  const query = await orFailure(() => new SqliteQuery(database, statement.sql));
  const next = await orFailure(() => query.batches<Row>(valuesOf(statement), rowsMax));
  for (;;) {
    const batch = await orFailure(next);
    if (batch.length > 0) yield batch;
    if (batch.length < rowsMax) return;
    await othersFirst();
  }
}

/** SQLite answers at once: a long list must not keep everybody else waiting. */
async function othersFirst(): Promise<void> {
  await new Promise(setImmediate);
}

async function orFailure<Result>(ask: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
