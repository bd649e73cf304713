import { StorageUnavailable } from '../failure.ts';
import type { QueryBuilder, Reader, Statement } from '../statement.ts';
import { asStorageFailure } from './failure.ts';
import { valuesOf } from './query.ts';
import type { ReadConnection } from './threads/reader-thread.ts';
import { ReaderThreads } from './threads/reader-threads.ts';

/** Shared by the process: a storage has connections in these threads, but no threads of its own. */
const processThreads = new ReaderThreads();

let latestConnectionId = 0;

/** Reads one file in other threads. */
export class ThreadedReader implements Reader {
  readonly builder: QueryBuilder;
  readonly #threads: ReaderThreads;
  readonly #connection: ReadConnection;
  #running = 0;
  #isClosed = false;
  #onDrained = () => {};

  constructor(location: string, builder: QueryBuilder, threads = processThreads) {
    this.builder = builder;
    this.#threads = threads;
    latestConnectionId += 1;
    this.#connection = { id: latestConnectionId, location };
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    if (this.#isClosed) throw new StorageUnavailable('the database is closed');
    this.#running += 1;
    try {
      return await this.#read(statement);
    } catch (error) {
      throw asStorageFailure(error);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onDrained();
    }
  }

  /** Waits for the reads that are running, and refuses others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
    await this.#threads.close(this.#connection);
  }

  #read<Row>(statement: Statement<Row>): Promise<Row[]> {
    const { name, sql } = statement;
    const values = valuesOf(statement);
    return new Promise((resolve, reject) => {
      const resolveRows = resolve as (rows: unknown[]) => void;
      this.#threads.read({ connection: this.#connection, name, sql, values, resolve: resolveRows, reject });
    });
  }
}
