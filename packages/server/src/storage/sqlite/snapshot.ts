import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type SnapshotWork, streamRowsMax } from '../snapshot.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { openSqliteDatabase } from './database.ts';
import { asStorageFailure } from './failure.ts';
import { SnapshotThreads } from './threads/snapshot-threads.ts';

/** Shared by the process. */
const threads = new SnapshotThreads();

/** A separate connection, because an iterating statement cannot be reused. A read transaction is open on it. */
export interface SnapshotConnection {
  batches<Row>(statement: Statement<Row>, rowsMax: number): AsyncGenerator<Row[], undefined>;
  close(): Promise<void>;
}

/** Runs the work in the transaction of a connection. Closes the connection however the work or its reader ends. */
export async function* sqliteSnapshot<Item>(
  open: () => Promise<SnapshotConnection>,
  builder: QueryBuilder,
  work: SnapshotWork<Item>,
): AsyncGenerator<Item, undefined> {
  const connection = await open();
  try {
    yield* work({
      builder,
      rows: async (statement) => {
        const { value } = await connection.batches(statement, Number.POSITIVE_INFINITY).next();
        return value ?? [];
      },
      stream: (statement, { rowsMax = streamRowsMax } = {}) => stream(connection, statement, rowsMax),
    });
  } finally {
    await connection.close();
  }
}

/** A snapshot of a file at this moment. */
export function openFileSnapshot(location: string): Promise<SnapshotConnection> {
  return threads.open(location);
}

/** A snapshot of an in-memory database, to which no other connection is possible: a copy made between writes. */
export async function openMemorySnapshot(source: DatabaseSync): Promise<SnapshotConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'app-registry-'));
  const end = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'snapshot.db');
    source.prepare('vacuum into ?').run(copy);
    // `vacuum into` writes a file without a log, and a reader cannot create one.
    openSqliteDatabase(copy, { readOnly: false }).close();
    const snapshot = await threads.open(copy);
    return {
      batches: (statement, rowsMax) => snapshot.batches(statement, rowsMax),
      close: async () => {
        await snapshot.close();
        end();
      },
    };
  } catch (error) {
    end();
    throw asStorageFailure(error);
  }
}

async function* stream<Row>(
  connection: SnapshotConnection,
  statement: Statement<Row>,
  rowsMax: number,
): AsyncGenerator<Row[], undefined> {
  for await (const batch of connection.batches(statement, rowsMax)) if (batch.length > 0) yield batch;
}
