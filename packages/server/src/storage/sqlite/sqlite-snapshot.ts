import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type QueryBuilder, type SnapshotWork, type Statement, streamRowsMax } from '../query.ts';
import { SqliteQuery, valuesOf } from './sqlite-connection.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { asStorageFailure } from './sqlite-failure.ts';

/** How long a snapshot is read in one turn of the event loop, which also serves everything else. */
const turnMsMax = 4;
/** The time is checked after this many rows, of which a few fit into a page. */
const rowsPerCheck = 16;

/** A read transaction on a connection of its own, because an iterating statement cannot be reused. */
export interface SnapshotConnection {
  database: DatabaseSync;
  close(): void;
}

/** Runs the work in the transaction of a connection. Closes the connection however the work or its reader ends. */
export async function* sqliteSnapshot<Item>(
  open: () => Promise<SnapshotConnection>,
  builder: QueryBuilder,
  work: SnapshotWork<Item>,
): AsyncGenerator<Item, undefined> {
  const { database, close } = await open();
  const turns = new Turns();
  const streamBatches = <Row>(statement: Statement<Row>, { rowsMax = streamRowsMax } = {}) =>
    stream(new SqliteQuery(database, statement.sql).iterate<Row>(valuesOf(statement)), { rowsMax, turns });
  try {
    yield* work({
      builder,
      rows: async <Row>(statement: Statement<Row>) => {
        const rows: Row[] = [];
        for await (const batch of streamBatches(statement)) rows.push(...batch);
        return rows;
      },
      stream: streamBatches,
    });
  } finally {
    close();
  }
}

/** A snapshot of a file at this moment. */
export function openFileSnapshot(location: string): SnapshotConnection {
  try {
    const database = openSqliteDatabase(location, { readOnly: true });
    // A transaction begins with its first query.
    database.exec('begin; select 1 from sqlite_master limit 1');
    return { database, close: () => database.close() };
  } catch (error) {
    throw asStorageFailure(error);
  }
}

/** A snapshot of an in-memory database, to which no other connection is possible: a copy made between writes. */
export function openMemorySnapshot(source: DatabaseSync): SnapshotConnection {
  const folder = mkdtempSync(join(tmpdir(), 'app-registry-'));
  const removeCopy = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'snapshot.db');
    source.prepare('vacuum into ?').run(copy);
    // `vacuum into` writes a file without a log, and a reader cannot create one.
    openSqliteDatabase(copy, { readOnly: false }).close();
    const { database, close } = openFileSnapshot(copy);
    return {
      database,
      close: () => {
        close();
        removeCopy();
      },
    };
  } catch (error) {
    removeCopy();
    throw asStorageFailure(error);
  }
}

/** Takes a turn of the event loop after each batch, and within one whose rows take long. */
async function* stream<Row>(
  rows: Iterable<Row>,
  { rowsMax, turns }: { rowsMax: number; turns: Turns },
): AsyncGenerator<Row[], undefined> {
  try {
    if (turns.isDue) await turns.take();
    let batch: Row[] = [];
    for (const row of rows) {
      batch.push(row);
      if (batch.length === rowsMax) {
        yield batch;
        batch = [];
        await turns.take();
      } else if (batch.length % rowsPerCheck === 0 && turns.isDue) await turns.take();
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw asStorageFailure(error);
  }
}

/** The turns of the event loop in which all queries of a snapshot are read, small ones too. */
class Turns {
  #endsAt = 0;

  get isDue(): boolean {
    return performance.now() > this.#endsAt;
  }

  async take(): Promise<void> {
    await new Promise(setImmediate);
    this.#endsAt = performance.now() + turnMsMax;
  }
}
