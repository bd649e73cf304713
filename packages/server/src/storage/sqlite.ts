import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector } from 'kysely';
import { NotUnique, StorageUnavailable, UnusableDatabase } from './failure.ts';
import type { Connection, QueryBuilder, Statement } from './query.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteQueryCompiler } from './sqlite-query-compiler.ts';
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
    this.#writerDatabase = openDatabase(location, { readOnly: false });
    this.#writer = new SqliteConnection(this.#writerDatabase, builder, (error) => error);
    if (location === ':memory:') {
      // A database in memory has one connection, on which an open group can be seen: reads wait for it.
      this.#readerDatabase = this.#writerDatabase;
      const reader = new SqliteConnection(this.#readerDatabase, builder, asStorageFailure);
      this.reader = new WaitingReader(reader, () => this.#openGroup);
    } else {
      this.#readerDatabase = openDatabase(location, { readOnly: true });
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

  async ping(): Promise<void> {
    await this.write(async () => {});
  }

  async close(): Promise<void> {
    await this.#draining;
    this.#writerDatabase.close();
    if (this.#readerDatabase !== this.#writerDatabase) this.#readerDatabase.close();
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

function openDatabase(location: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly, timeout: lockWaitMsMax });
  if (!readOnly) database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full; pragma foreign_keys = on;');
  assertPragma(database, 'synchronous', 2);
  assertPragma(database, 'foreign_keys', 1);
  if (location !== ':memory:') assertPragma(database, 'journal_mode', 'wal');
  if (readOnly) return database;
  // The writer never waits inside SQLite, which would hold up the whole process.
  database.exec('pragma busy_timeout = 0');
  assertWritable(database);
  return database;
}

/** A file that may only be read is opened all the same, and would refuse the first write. */
function assertWritable(database: DatabaseSync): void {
  try {
    database.exec('begin immediate; rollback');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function assertPragma(database: DatabaseSync, name: string, expected: unknown): void {
  const actual = Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  if (actual !== expected) throw new Error(`pragma ${name} is ${actual} and not ${expected}`);
}

function isBusy(error: unknown): boolean {
  return primaryCode(error) === 5;
}

/** Names of https://sqlite.org/rescode.html: BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN. */
const unavailableCodes = new Set([5, 6, 7, 8, 10, 13, 14]);
/** CONSTRAINT_PRIMARYKEY */
const primaryKeyCode = 1555;

function asStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = primaryCode(error);
  if (isClosed(error) || (code !== undefined && unavailableCodes.has(code))) {
    return new StorageUnavailable(error.message, { cause: error });
  }
  const unique = /^UNIQUE constraint failed: (\w+)\.(.+)$/.exec(error.message);
  return unique ? new NotUnique(constraintName(error, unique), error) : error;
}

/** The message names the columns, as in `apps.name_claim` or `installations.app_id, installations.workspace_id`. */
function constraintName(error: Error, [, table, columns = '']: RegExpExecArray): string {
  if (extendedCode(error) === primaryKeyCode) return `${table}_pkey`;
  return `${table}_${columns.replaceAll(`, ${table}.`, '_')}`;
}

function isClosed(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE';
}

function primaryCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown }).errcode;
  return typeof code === 'number' ? code : undefined;
}
