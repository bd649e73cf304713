import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector } from 'kysely';
import { StorageUnavailable, UnusableDatabase } from './failure.ts';
import type { Connection } from './query.ts';
import type { SnapshotWork } from './snapshot.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { asStorageFailure, isBusy } from './sqlite-failure.ts';
import { SqliteQueryCompiler } from './sqlite-query-compiler.ts';
import { openFileSnapshot, openMemorySnapshot, type SnapshotConnection, sqliteSnapshot } from './sqlite-snapshot.ts';
import type { QueryBuilder, Statement } from './statement.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';

const lockWaitMsMax = 10_000;

const builder: QueryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

interface WaitingWrite {
  /** Runs the work and keeps its result. */
  run: (transaction: Connection) => Promise<void>;
  /** After the commit: hands the result on. */
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** SQLite in a file, which other processes may use at the same time, or in memory. */
export class SqliteStorage implements Storage {
  readonly engine = 'sqlite';
  readonly reader: Connection;
  readonly #location: string;
  readonly #readerDatabase: DatabaseSync;
  readonly #writerDatabase: DatabaseSync;
  readonly #writer: SqliteConnection;
  #waiting: WaitingWrite[] = [];
  /** Settles when no write waits any more; undefined when none does. */
  #draining: Promise<void> | undefined;
  /** Settles when the open group is committed or rolled back; undefined when none is open. */
  #openGroup: Promise<void> | undefined;

  static open(location: string): SqliteStorage {
    try {
      if (location !== ':memory:') mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
      return new SqliteStorage(location);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnusableDatabase(`The SQLite database ${location} cannot be opened: ${reason}.`, { cause: error });
    }
  }

  constructor(location: string) {
    this.#location = location;
    this.#writerDatabase = openSqliteDatabase(location, { readOnly: false });
    this.#writer = new SqliteConnection(this.#writerDatabase, builder, (error) => error);
    if (location === ':memory:') {
      // A database in memory has one connection, on which an open group can be seen: reads wait for it.
      this.#readerDatabase = this.#writerDatabase;
      const reader = new SqliteConnection(this.#readerDatabase, builder, asStorageFailure);
      this.reader = new WaitingReader(reader, () => this.#openGroup);
    } else {
      this.#readerDatabase = openSqliteDatabase(location, { readOnly: true });
      this.reader = new SqliteConnection(this.#readerDatabase, builder, asStorageFailure);
    }
  }

  /** Group commit: the writes that wait at one moment share one transaction, and one sync. */
  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#waiting.push({
        run: async (transaction) => {
          result = await work(transaction);
        },
        resolve: () => resolve(result),
        reject,
      });
      this.#draining ??= this.#drain();
    });
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return sqliteSnapshot(() => this.#openSnapshot(), builder, work);
  }

  async ping(): Promise<void> {
    await this.write(async () => {});
  }

  async close(): Promise<void> {
    await this.#draining;
    if (this.#readerDatabase !== this.#writerDatabase) this.#readerDatabase.close();
    // Last, since only a writer can move the log into the file as it closes.
    this.#writerDatabase.close();
  }

  async #openSnapshot(): Promise<SnapshotConnection> {
    if (this.#location !== ':memory:') return openFileSnapshot(this.#location);
    while (this.#openGroup) await this.#openGroup;
    return openMemorySnapshot(this.#writerDatabase);
  }

  async #drain(): Promise<void> {
    // Requests that arrived together reach this point in one turn of the event loop.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      this.#openGroup = this.#commit(group);
      await this.#openGroup;
      this.#openGroup = undefined;
      await new Promise(setImmediate);
    }
    this.#draining = undefined;
  }

  async #commit(group: WaitingWrite[]): Promise<void> {
    const stored: WaitingWrite[] = [];
    try {
      await this.#begin();
      for (const write of group) {
        if (await this.#runInSavepoint(write)) stored.push(write);
      }
      this.#writerDatabase.exec('commit');
    } catch (error) {
      if (this.#writerDatabase.isOpen && this.#writerDatabase.isTransaction) this.#writerDatabase.exec('rollback');
      const failure = asStorageFailure(error);
      for (const write of group) write.reject(failure);
      return;
    }
    for (const write of stored) write.resolve();
  }

  /**
   * Takes the write lock. Waiting happens between tries and not inside SQLite, so that reads are
   * served while another process writes.
   */
  async #begin(): Promise<void> {
    const deadline = Date.now() + lockWaitMsMax;
    for (;;) {
      try {
        this.#writerDatabase.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
        await sleep(2 + Math.random() * 8);
      }
    }
  }

  async #runInSavepoint(write: WaitingWrite): Promise<boolean> {
    this.#writerDatabase.exec('savepoint one_write');
    try {
      await write.run(this.#writer);
      this.#writerDatabase.exec('release one_write');
      return true;
    } catch (error) {
      // A full disk or a failed write rolls the whole transaction back: nobody's work is stored.
      if (!this.#writerDatabase.isTransaction) {
        throw new StorageUnavailable('SQLite rolled the transaction back', { cause: error });
      }
      this.#writerDatabase.exec('rollback to one_write; release one_write');
      write.reject(asStorageFailure(error));
      return false;
    }
  }
}

class WaitingReader implements Connection {
  readonly builder = builder;
  readonly #connection: SqliteConnection;
  readonly #openGroup: () => Promise<void> | undefined;

  constructor(connection: SqliteConnection, openGroup: () => Promise<void> | undefined) {
    this.#connection = connection;
    this.#openGroup = openGroup;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    while (this.#openGroup()) await this.#openGroup();
    return this.#connection.rows(statement);
  }

  run(): Promise<number> {
    throw new Error('a reader does not write');
  }

  insertNew(): Promise<never> {
    throw new Error('a reader does not write');
  }
}
