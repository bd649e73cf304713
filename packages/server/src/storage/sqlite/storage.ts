import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely';
import { StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../failure.ts';
import type { Gate } from '../gate.ts';
import type { Measures, StorageObserver } from '../measures.ts';
import type { Connection } from '../query.ts';
import type { SnapshotWork } from '../snapshot.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { SqliteChanges } from './changes.ts';
import { SqliteConnection } from './connection.ts';
import { openSqliteDatabase } from './database.ts';
import { asStorageFailure } from './failure.ts';
import { sqliteGate } from './gate.ts';
import { sqliteMeasures } from './measures.ts';
import { SqliteQueryCompiler } from './query-compiler.ts';
import { openFileSnapshot, openMemorySnapshot, type SnapshotConnection, sqliteSnapshot } from './snapshot.ts';
import { SqliteWriter } from './writer.ts';

const builder: QueryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** SQLite in memory, or in a file that other processes may use at the same time. */
export class SqliteStorage implements Storage {
  readonly engine = 'sqlite';
  readonly reader: Connection;
  readonly gate: Gate;
  readonly measures: Measures;
  readonly #location: string;
  readonly #readerDatabase: DatabaseSync;
  readonly #writerDatabase: DatabaseSync;
  readonly #writer: SqliteWriter;
  readonly #changes: SqliteChanges;

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
    this.#writer = new SqliteWriter(this.#writerDatabase, builder);
    this.#changes = new SqliteChanges(this.#writerDatabase);
    if (location === ':memory:') {
      // An in-memory database has one connection, which sees the open group: reads wait for its commit.
      this.#readerDatabase = this.#writerDatabase;
      const reader = new SqliteConnection(this.#readerDatabase, builder, asStorageFailure);
      this.reader = new WaitingReader(reader, this.#writer);
    } else {
      this.#readerDatabase = openSqliteDatabase(location, { readOnly: true });
      this.reader = new SqliteConnection(this.#readerDatabase, builder, asStorageFailure);
    }
    this.measures = sqliteMeasures(location, this.reader);
    this.gate = sqliteGate({
      database: this.#readerDatabase,
      builder,
      readable: () => (location === ':memory:' ? this.#writer.idle() : undefined),
      changes: this.#changes,
    });
  }

  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return sqliteSnapshot(() => this.#openSnapshot(), builder, work);
  }

  /** Call it after migrating, which sorts the index of a large table in a temporary file. */
  onMigrated(): void {
    // With savepoint journals in files, an update would spend most of its time on them.
    this.#writerDatabase.exec('pragma temp_store = memory');
    this.#changes.watch();
  }

  observe(observer: StorageObserver): void {
    this.#writer.observer = observer;
  }

  async ping(): Promise<void> {
    // Writes a page in any case. An empty transaction or an unchanged row would write nothing to a full disk.
    const statement = sql`pragma user_version = 0`.compile(builder);
    await this.write((transaction) => transaction.run(statement)).catch((error: unknown) => {
      throw error instanceof UnknownOutcome ? new StorageUnavailable(error.message, { cause: error }) : error;
    });
  }

  async close(): Promise<void> {
    await this.#writer.drained();
    if (this.#readerDatabase !== this.#writerDatabase) this.#readerDatabase.close();
    // Last, because only a writer can checkpoint the log on closing.
    this.#writerDatabase.close();
  }

  async #openSnapshot(): Promise<SnapshotConnection> {
    if (this.#location !== ':memory:') return openFileSnapshot(this.#location);
    await this.#writer.idle();
    return openMemorySnapshot(this.#writerDatabase);
  }
}

/** Reads on the writing connection, between its transactions. */
class WaitingReader implements Connection {
  readonly builder = builder;
  readonly #connection: SqliteConnection;
  readonly #writer: SqliteWriter;

  constructor(connection: SqliteConnection, writer: SqliteWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    await this.#writer.idle();
    return this.#connection.rows(statement);
  }

  run(): Promise<number> {
    throw new Error('a reader does not write');
  }

  insertNew(): Promise<never> {
    throw new Error('a reader does not write');
  }
}
