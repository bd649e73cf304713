import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describeDatabase } from '../describe-database.ts';
import { DatabaseNotFound, StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../failure.ts';
import type { Gate } from '../gate.ts';
import { holdsRegistry } from '../inspect-file.ts';
import type { Measures, StorageObserver } from '../measures.ts';
import { type KnownSchemas, knownSchemas } from '../migrations/index.ts';
import type { Migrator } from '../migrator.ts';
import type { Connection } from '../query.ts';
import type { Catalogue } from '../schema.ts';
import type { SnapshotWork } from '../snapshot.ts';
import type { Statement } from '../statement.ts';
import type { OpenOptions, Storage, WriteWork } from '../storage.ts';
import { sqliteCatalogue } from './catalogue.ts';
import { SqliteConnection } from './connection.ts';
import { databaseBytes, openSqliteDatabase, settleLog } from './database.ts';
import { asStorageFailure } from './failure.ts';
import { sqliteGate } from './gate.ts';
import { sqliteMeasures } from './measures.ts';
import { sqliteMigrator } from './migrator.ts';
import { findFile, OpenFiles } from './open-files.ts';
import { openFileSnapshot, openMemorySnapshot, type SnapshotConnection, sqliteSnapshot } from './snapshot.ts';
import { sqliteBuilder, sqliteFeedOrder } from './sqlite-dialect.ts';
import { SqliteWriter } from './writer.ts';

type SqliteOptions = Pick<OpenOptions, 'create' | 'onLost' | 'onSyncFailed'>;

/** SQLite in memory, or in a file that other processes may use at the same time. */
export class SqliteStorage implements Storage {
  readonly engine = 'sqlite';
  readonly reader: Connection;
  readonly gate: Gate;
  readonly measures: Measures;
  readonly schemas: KnownSchemas;
  readonly catalogue: Catalogue;
  readonly migrator: Migrator = sqliteMigrator(this);
  readonly feedOrder = sqliteFeedOrder;
  /** This thread reads all of them, in turns. */
  readonly snapshotsAtOnce = 1;
  readonly #location: string;
  readonly #writerDatabase: DatabaseSync;
  /** Beside the writer's, which would show the group that is open. The same one for a database in memory. */
  readonly #readerDatabase: DatabaseSync;
  /** Undefined for a database in memory. */
  readonly #files: OpenFiles | undefined;
  readonly #writer: SqliteWriter;
  #hasSyncFailed = false;

  /** Throws `UnusableDatabase`. */
  static async open(
    location: string,
    { create, schemas = knownSchemas, ...callbacks }: SqliteOptions & Partial<Pick<OpenOptions, 'schemas'>>,
  ): Promise<SqliteStorage> {
    try {
      if (location === ':memory:') return new SqliteStorage(location, { ...callbacks, before: undefined, schemas });
      const before = findFile(location);
      if (!(before && holdsRegistry(location, schemas)) && !create)
        throw DatabaseNotFound.in(describeDatabase(`sqlite:${location}`));
      mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
      await settleLog(location);
      return new SqliteStorage(location, { ...callbacks, before, schemas });
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnusableDatabase(`The SQLite database ${location} cannot be opened: ${reason}.`, { cause: error });
    }
  }

  private constructor(
    location: string,
    {
      before,
      onLost,
      onSyncFailed,
      schemas,
    }: Omit<SqliteOptions, 'create'> & Pick<OpenOptions, 'schemas'> & { before: ReturnType<typeof findFile> },
  ) {
    this.schemas = schemas;
    this.catalogue = sqliteCatalogue(sqliteBuilder, schemas);
    this.#location = location;
    const isInMemory = location === ':memory:';
    this.#writerDatabase = openSqliteDatabase(location, { readOnly: false });
    this.#readerDatabase = isInMemory ? this.#writerDatabase : openSqliteDatabase(location, { readOnly: true });
    if (!isInMemory) {
      const size = () => databaseBytes(this.#writerDatabase);
      this.#files = new OpenFiles(location, { before, onLost, databaseBytes: size });
    }
    this.#writer = new SqliteWriter({
      database: this.#writerDatabase,
      files: this.#files,
      onUnknownCommit: ({ message }) => {
        this.#hasSyncFailed = true;
        this.#files?.giveUp(message);
        onSyncFailed(message);
      },
    });
    const reader = new SqliteConnection(this.#readerDatabase, sqliteBuilder, asStorageFailure);
    this.reader = new CurrentReader(reader, () => this.#requireCurrent());
    this.measures = sqliteMeasures(location, this.reader);
    this.gate = sqliteGate(this.reader);
  }

  write<Result>(work: WriteWork<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return sqliteSnapshot(() => this.#openSnapshot(), sqliteBuilder, work);
  }

  /** Call it after migrating, which sorts the index of a large table in a temporary file. */
  onMigrated(): void {
    // With savepoint journals in files, an update would spend most of its time on them.
    this.#writerDatabase.exec('pragma temp_store = memory');
  }

  observe(observer: StorageObserver): void {
    this.#writer.observer = observer;
  }

  async ping(): Promise<void> {
    this.#files?.assertInPlace();
    // Writes a page in any case. An empty transaction or an unchanged row would write nothing to a full disk.
    const statement = sql`pragma user_version = 0`.compile(sqliteBuilder);
    await this.write((transaction) => transaction.run(statement)).catch((error: unknown) => {
      throw error instanceof UnknownOutcome ? new StorageUnavailable(error.message, { cause: error }) : error;
    });
  }

  /** Every connection asserts the settings that it needs. */
  async warnings(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {
    await this.#writer.drained();
    this.#files?.giveUp('the database is closed');
    // Closing would copy the log to a disk that fails.
    if (this.#hasSyncFailed) return;
    if (this.#readerDatabase !== this.#writerDatabase) this.#readerDatabase.close();
    // Last, because only a writer can copy the log on closing.
    this.#writerDatabase.close();
  }

  /**
   * Resolves when a read includes all earlier commits, and nothing that is not on disk. With `synchronous = full` SQLite
   * syncs a commit before it enters it into the index of the log, in which every other connection finds it.
   */
  async #requireCurrent(): Promise<void> {
    if (this.#files) this.#files.assertReadable();
    // A database in memory has one connection, which sees the open group.
    else await this.#writer.idle();
  }

  async #openSnapshot(): Promise<SnapshotConnection> {
    await this.#requireCurrent();
    if (!this.#files) return openMemorySnapshot(this.#writerDatabase);
    const snapshot = openFileSnapshot(this.#location);
    try {
      this.#files.assertInPlace();
      return snapshot;
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }
}

/** A connection that reads only what is current. */
class CurrentReader implements Connection {
  readonly builder = sqliteBuilder;
  readonly #connection: SqliteConnection;
  readonly #requireCurrent: () => Promise<void>;

  constructor(connection: SqliteConnection, requireCurrent: () => Promise<void>) {
    this.#connection = connection;
    this.#requireCurrent = requireCurrent;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    await this.#requireCurrent();
    return this.#connection.rows(statement);
  }

  run(): Promise<number> {
    throw new Error('a reader does not write');
  }

  insertNew(): Promise<never> {
    throw new Error('a reader does not write');
  }
}
