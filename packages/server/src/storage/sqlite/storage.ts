import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely';
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
import type { QueryBuilder, Reader, Statement } from '../statement.ts';
import { complete, type OpenOptions, type Storage, type WriteWork } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { sqliteCatalogue } from './catalogue.ts';
import { SqliteChanges } from './changes.ts';
import { SqliteConnection } from './connection.ts';
import { databaseBytes, openSqliteDatabase } from './database.ts';
import { asStorageFailure } from './failure.ts';
import { sqliteFeedOrder } from './feed-order.ts';
import { ForeignCommits } from './foreign-commits.ts';
import { sqliteGate } from './gate.ts';
import { SqliteLog } from './log.ts';
import { sqliteMeasures } from './measures.ts';
import { sqliteMigrator } from './migrator.ts';
import { findFile, OpenFiles, type OpenFilesOptions } from './open-files.ts';
import { SqliteQueryCompiler } from './query-compiler.ts';
import { openFileSnapshot, openMemorySnapshot, type SnapshotConnection, sqliteSnapshot } from './snapshot.ts';
import { ThreadedReader } from './threaded-reader.ts';
import { snapshotThreadsMax } from './threads/snapshot-threads.ts';
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
  readonly schemas: KnownSchemas;
  readonly catalogue: Catalogue;
  readonly migrator: Migrator = sqliteMigrator(this);
  readonly feedOrder = sqliteFeedOrder;
  readonly snapshotsAtOnce = snapshotThreadsMax;
  readonly #location: string;
  readonly #writerDatabase: DatabaseSync;
  /** Undefined for a database in memory. */
  readonly #files: OpenFiles | undefined;
  /** Undefined for a database in memory. */
  readonly #log: SqliteLog | undefined;
  /** Undefined for a database in memory, and for a short command. */
  readonly #threadedReader: ThreadedReader | undefined;
  readonly #writer: SqliteWriter;
  readonly #changes: SqliteChanges;

  /** Throws `UnusableDatabase`. */
  static open(
    location: string,
    {
      create,
      onLost,
      readsInThreads = true,
      schemas = knownSchemas,
    }: Pick<OpenOptions, 'create' | 'onLost'> & Partial<Pick<OpenOptions, 'readsInThreads' | 'schemas'>>,
  ): SqliteStorage {
    try {
      const before = location === ':memory:' ? undefined : findFile(location);
      if (!(before && holdsRegistry(location, schemas)) && !create)
        throw DatabaseNotFound.in(describeDatabase(`sqlite:${location}`));
      if (location !== ':memory:') mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
      return new SqliteStorage(location, { before, onLost, readsInThreads, schemas });
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
      readsInThreads,
      schemas,
    }: Pick<OpenFilesOptions, 'before' | 'onLost'> & Pick<OpenOptions, 'readsInThreads' | 'schemas'>,
  ) {
    this.schemas = schemas;
    this.catalogue = sqliteCatalogue(builder, schemas);
    this.#location = location;
    const isInMemory = location === ':memory:';
    this.#writerDatabase = openSqliteDatabase(location, { readOnly: false });
    const foreign = new ForeignCommits(this.#writerDatabase);
    this.#changes = new SqliteChanges(this.#writerDatabase, foreign);
    if (!isInMemory) {
      if (readsInThreads) this.#threadedReader = new ThreadedReader(location, builder);
      this.#files = new OpenFiles(location, {
        before,
        onLost,
        databaseBytes: () => databaseBytes(this.#writerDatabase),
      });
      this.#log = new SqliteLog({ location, writer: this.#writerDatabase, builder, changes: this.#changes, foreign });
    }
    this.#writer = new SqliteWriter({
      database: this.#writerDatabase,
      builder,
      assertInPlace: () => this.#files?.assertInPlace(),
      changes: this.#changes,
      log: this.#log,
    });
    const reader = this.#threadedReader ?? new SqliteConnection(this.#writerDatabase, builder, asStorageFailure);
    const requireCurrent = () => this.#requireCurrent();
    this.reader = new CurrentReader(reader, {
      requireCurrent,
      requireDurable: () => this.#requireDurable(),
      durable: () => this.#log?.durableState(),
    });
    this.measures = sqliteMeasures(location, this.reader);
    this.gate = sqliteGate({ reader: this.reader, requireCurrent, changes: this.#changes });
  }

  write<Result>(work: WriteWork<Result>): Promise<Result> {
    return this.#writer.write((transaction) => complete(transaction, work));
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

  /** Every connection asserts the settings that it needs. */
  async warnings(): Promise<string[]> {
    return [];
  }

  async close(): Promise<void> {
    await this.#threadedReader?.close();
    await this.#writer.drained();
    await this.#log?.close();
    this.#files?.close();
    // Last, because only a writer can checkpoint the log on closing.
    this.#writerDatabase.close();
  }

  /** Resolves when a read includes all earlier commits, and none that is still open. */
  async #requireCurrent(): Promise<void> {
    if (this.#files) this.#files.assertInPlace();
    // A database in memory has one connection, which sees the open group.
    else await this.#writer.idle();
  }

  /** Resolves when all that a read has seen is on disk, in the files that other processes and a restart find. */
  async #requireDurable(): Promise<void> {
    await this.#log?.synced();
    this.#files?.assertInPlace();
  }

  async #openSnapshot(): Promise<SnapshotConnection> {
    await this.#requireCurrent();
    if (!this.#files) return openMemorySnapshot(this.#writerDatabase);
    const snapshot = await openFileSnapshot(this.#location);
    try {
      await this.#requireDurable();
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }
}

interface CurrentReaderParts {
  requireCurrent: () => Promise<void>;
  requireDurable: () => Promise<void>;
  /** A reader of the state before a commit that could not be synced. */
  durable: () => Reader | undefined;
}

/** A connection that reads only what is current and durable. */
class CurrentReader implements Connection {
  readonly builder = builder;
  readonly #reader: Reader;
  readonly #parts: CurrentReaderParts;

  constructor(reader: Reader, parts: CurrentReaderParts) {
    this.#reader = reader;
    this.#parts = parts;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    const { requireCurrent, requireDurable, durable } = this.#parts;
    await requireCurrent();
    const rows = await this.#reader.rows(statement);
    try {
      await requireDurable();
      return rows;
    } catch (error) {
      const reader = durable();
      if (reader) return reader.rows(statement);
      throw error;
    }
  }

  run(): Promise<number> {
    throw new Error('a reader does not write');
  }

  insertNew(): Promise<never> {
    throw new Error('a reader does not write');
  }
}
