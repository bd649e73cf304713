import { mkdirSync } from 'node:fs';
import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { createPrivateFile, privateFolder } from '../../files/private-files.ts';
import { holdsRegistry, lastBackupAt, requireWritable } from '../backup-file.ts';
import { type KnownSchemas, knownSchemas } from '../migrations/known-schemas.ts';
import { describeDatabase } from '../postgres-url.ts';
import { type Connection, defineFind, type SnapshotWork, type Statement } from '../query.ts';
import type { RequestLookups } from '../request-lookups.ts';
import type { Measures, Migrator, OpenOptions, SchemaReader, Storage, StorageObserver, WriteWork } from '../storage.ts';
import {
  DatabaseNotFound,
  reasonOf,
  StorageUnavailable,
  UnknownOutcome,
  UnusableDatabase,
} from '../storage-failure.ts';
import { columns } from '../tables.ts';
import {
  findFile,
  OpenFiles,
  SqliteConnection,
  sqliteBuilder,
  sqliteFeedOrder,
  sqliteLookups,
} from './sqlite-connection.ts';
import { databaseBytes, openSqliteDatabase, settleLog } from './sqlite-database.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import { sqliteMigrator, sqliteSchemaReader } from './sqlite-schema.ts';
import { openFileSnapshot, openMemorySnapshot, type SnapshotConnection, sqliteSnapshot } from './sqlite-snapshot.ts';
import { SqliteWriter } from './sqlite-writer.ts';

type SqliteOptions = Pick<OpenOptions, 'create' | 'onLost' | 'onSyncFailed'>;

/** SQLite in memory, or in a file that other processes may use at the same time. */
export class SqliteStorage implements Storage {
  readonly engine = 'sqlite';
  readonly reader: Connection;
  readonly requestLookups: RequestLookups;
  readonly measures: Measures;
  readonly schemas: KnownSchemas;
  readonly schemaReader: SchemaReader;
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
      if (before) requireWritable(location);
      if (!(before && holdsRegistry(location, schemas)) && !create)
        throw DatabaseNotFound.in(describeDatabase(`sqlite:${location}`));
      mkdirSync(dirname(location), { recursive: true, mode: privateFolder });
      // SQLite would create it by the mask of the process. Its log has the mode of the database.
      createPrivateFile(location);
      await settleLog(location);
      return new SqliteStorage(location, { ...callbacks, before, schemas });
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      const what = `The SQLite database ${location} cannot be opened`;
      throw new UnusableDatabase(`${what}: ${reasonOf(error)}.`, { cause: error });
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
    this.schemaReader = sqliteSchemaReader(sqliteBuilder, schemas);
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
    this.requestLookups = sqliteLookups(this.reader);
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

  insertAll(): Promise<never> {
    throw new Error('a reader does not write');
  }

  insertNew(): Promise<never> {
    throw new Error('a reader does not write');
  }
}

const findSize = defineFind((db) => {
  const size = sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return { compile: () => size.compile(db) };
});

const sampledRows = 100;

/**
 * Rows by the first and the last row id, so that deleted rows between them count; bytes by the values of the newest
 * rows, whose lengths SQLite knows without reading them. Anything exact would read the complete table.
 */
const tableSizes = Object.entries(columns).map(([table, names]) => ({
  table,
  find: defineFind((db) => {
    const lengths = sql.join(
      names.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`),
      sql` + `,
    );
    const [from, limit] = [sql.table(table), sql.raw(String(sampledRows))];
    const size = sql<{ rows: number | null; row_bytes: number | null }>`select
      (select max(rowid) from ${from}) - (select min(rowid) from ${from}) + 1 as rows,
      (select avg(${lengths}) from (select * from ${from} order by rowid desc limit ${limit}) as newest) as row_bytes`;
    return { compile: () => size.compile(db) };
  }),
}));

async function measureTables(reader: Connection): ReturnType<Measures['tables']> {
  const sizes: Awaited<ReturnType<Measures['tables']>> = {};
  for (const { table, find } of tableSizes) {
    const size = await find(reader, {});
    const rows = size?.rows ?? 0;
    sizes[table] = { rows, bytes: Math.round(rows * (size?.row_bytes ?? 0)) };
  }
  return sizes;
}

function sqliteMeasures(location: string, reader: Connection): Measures {
  const databaseBytes = async () => (await findSize(reader, {}))?.bytes ?? 0;
  const tables = () => measureTables(reader);
  if (location === ':memory:') return { databaseBytes, tables };
  return {
    databaseBytes,
    tables,
    walBytes: async () => (await stat(`${await realpath(location)}-wal`)).size,
    async diskFreeBytes() {
      const { bavail, bsize } = await statfs(dirname(await realpath(location)));
      return bavail * bsize;
    },
    lastBackupAt: () => lastBackupAt(location),
  };
}
