import type { RawBuilder } from 'kysely';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import type { MigrationStatement } from './migrations/migration.ts';
import type { Connection, Reader, SnapshotWork } from './query.ts';
import type { RequestLookups } from './request-lookups.ts';
import type { Tables } from './tables.ts';

/** One database, on either engine. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Each query is one snapshot that includes every earlier commit. */
  readonly reader: Connection;
  readonly requestLookups: RequestLookups;
  readonly measures: Measures;
  /** The schema versions that this program knows. */
  readonly schemas: KnownSchemas;
  readonly schemaReader: SchemaReader;
  readonly migrator: Migrator;
  readonly feedOrder: FeedOrder;
  /**
   * Runs the work in one transaction. Resolves once it is durable, and stores nothing when it throws. The work
   * may run again, after a lost race or next to a failing write, so it must have no effects other than on rows.
   */
  write<Result>(work: WriteWork<Result>, options?: WriteOptions): Promise<Result>;
  /**
   * Reads any amount in constant memory, all from one moment, and passes on what the work yields. Releases the
   * connection when the work ends or throws, or when its consumer stops (by `return`, as `for await` does).
   */
  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined>;
  /** How many snapshots are read at once. Further ones wait for one of them to end, or are read in turns with it. */
  readonly snapshotsAtOnce: number;
  /** Reports the database's work to one observer from now on. */
  observe(observer: StorageObserver): void;
  /** Throws if the database cannot take a write now. */
  ping(): Promise<void>;
  /** Settings of the database that can lose an acknowledged write: what each does, and what to do. */
  warnings(): Promise<string[]>;
  close(): Promise<void>;
}

/** The same database with another way to write. */
export function withWrite(storage: Storage, write: Storage['write']): Storage {
  const { engine, reader, requestLookups, measures, schemas, schemaReader, migrator, feedOrder, snapshotsAtOnce } =
    storage;
  return {
    ...{ engine, reader, requestLookups, measures, schemas, schemaReader, migrator, feedOrder, snapshotsAtOnce, write },
    snapshot: (work) => storage.snapshot(work),
    observe: (observer) => storage.observe(observer),
    ping: () => storage.ping(),
    warnings: () => storage.warnings(),
    close: () => storage.close(),
  };
}

export type WriteWork<Result> = (transaction: Connection) => Promise<Result>;

export interface WriteOptions {
  /**
   * The id of the row that the work locks first, if many concurrent writes may lock the same one. On PostgreSQL those
   * of one process then share transactions, as all writes do on SQLite. The work must lock only what no write with
   * another id locks, or two transactions of several works each could wait for each other.
   */
  groupKey?: string | undefined;
}

/** The timeline of a database server, before and now. */
export interface TimelineChange {
  from: number;
  to: number;
}

/** The objects of a database, such as `trigger apps_revised on apps`, each with its definition. */
export type Schema = ReadonlyMap<string, string>;

/** How far the migration to a schema version is. The table exists only while one is not complete. */
export interface MigrationProgress {
  version: number;
  /** Number of completed steps. */
  steps: number;
  /** The last updated key of a backfill; empty before the first one. */
  position: string;
}

/** The schema of a database, and the schema that the migrations create. */
export interface SchemaReader {
  /** Every object that affects how our rows are read and written. */
  read(reader: Reader): Promise<Schema>;
  /** As the migrations up to this version create it, or before and after what the next step of a migration changes. */
  expected(version: number, progress: MigrationProgress | null): Promise<Schema[]>;
}

/** How to open a database. */
export interface OpenOptions {
  /** Whether to create a registry if there is none; otherwise `DatabaseNotFound` is thrown. */
  create: boolean;
  /** Called when a registry was created, with its place. */
  onCreated: (place: string) => void;
  /** Called with a line for each step of a migration. */
  onMigrating: (line: string) => void;
  /**
   * Called once, when files of the open database are removed or replaced. The database is neither read nor written from
   * then on.
   */
  onLost: (reason: string) => void;
  /**
   * Called once, when SQLite could not sync a commit, which may or may not be stored. The database is neither read nor
   * written from then on. The process must end without closing it: only the next opening finds out, and makes it durable.
   */
  onSyncFailed: (reason: string) => void;
  /** Whether PostgreSQL prepares the statements that are executed again and again. */
  prepare: boolean;
  /** Called once, when a pooler turns out not to support prepared statements, which are not used from then on. */
  onUnprepared: (reason: string) => void;
  /** Called when the server has begun another timeline: after a failover or a recovery to a point in time. */
  onTimelineChanged: (change: TimelineChange) => void;
  pools: PoolSizes;
  /** Those of this program, unless a test of migrations makes up later ones. */
  schemas: KnownSchemas;
}

/** Maximum number of PostgreSQL connections of each pool of a process. */
interface PoolSizes {
  write: number;
  read: number;
  /** For long lists and exports, each of which keeps its connection until its reader has everything. */
  list: number;
}

/** Options that have no effect on SQLite. */
export type PostgresOptions = Partial<
  Omit<OpenOptions, 'create' | 'onCreated' | 'onMigrating' | 'onLost' | 'onSyncFailed'>
>;

/** Observes the work of a database. Its methods must be quick and must not throw. */
export interface StorageObserver {
  /** After each commit: its duration and the number of writes that shared it. */
  committed(commit: { seconds: number; writes: number }): void;
  /** After a wait for a connection because none was idle, even if the wait ended without one. */
  waited(seconds: number): void;
  /** After the server has begun another timeline. */
  timelineChanged(): void;
}

interface TableSize {
  rows: number;
  bytes: number;
}

/** What can be measured cheaply, independent of the database's size. Each engine provides what applies to it. */
export interface Measures {
  databaseBytes(): Promise<number>;
  /** Estimates, by table: with few lookups, regardless of its size. */
  tables(): Promise<Record<string, TableSize>>;
  /** Size of the write-ahead log. */
  walBytes?(): Promise<number>;
  /** Free space on the disk that holds the database and its log. */
  diskFreeBytes?(): Promise<number>;
  /** Time of the state in the last backup, in milliseconds since 1970; 0 when unknown. */
  lastBackupAt?(): Promise<number>;
  /** How far the clock of the database server is ahead of this machine's. */
  clockOffsetMs?(connection?: Connection): Promise<number>;
  /** Number of requests waiting for a connection, by pool. */
  waiting?(): Promise<Record<string, number>>;
}

/** How an engine migrates a database while programs of the previous release use it. */
export interface Migrator {
  /** Inside a write: until it ends, no other process creates or migrates the schema in one transaction. */
  lock(transaction: Connection): Promise<void>;
  /**
   * Runs the work while no other process runs such work, where statements outside of transactions need that. The work calls
   * `requireLock` before each step, which throws if the connection that holds the lock is lost.
   */
  runExclusively(work: (requireLock: () => Promise<void>) => Promise<void>, onWait: OnWait): Promise<void>;
  /** A write that delays others only briefly: it stops waiting for a lock after a moment, and tries again. */
  write<Result>(work: (transaction: Connection) => Promise<Result>, onWait: OnWait): Promise<Result>;
  /**
   * Runs a statement outside of a transaction, so that writes continue meanwhile, even if a killed process had already
   * begun it. Returns false without running it, if the engine cannot do that.
   */
  runConcurrently(statement: MigrationStatement, onWait: OnWait): Promise<boolean>;
}

/** Called with what it waits for. */
export type OnWait = (reason: string) => void;

/** The place of an event in the feed, which has the order of positions, and of ids within one. */
export interface FeedPlace {
  position: number;
  id: string;
}

/** Before all events. */
export const feedStart: FeedPlace = { position: 0, id: '' };

/**
 * The order in which an engine feeds events, so that none is ever stored behind one that could be read: what a reader has
 * seen is complete (decision record 0017).
 */
export interface FeedOrder {
  /** The position of an event; 0 for all where ids alone have that order. */
  position: RawBuilder<number>;
  /** The columns of an index with that order. */
  columns: readonly string[];
  /** Whether an event is after a place. */
  isAfter(place: FeedPlace): RawBuilder<boolean>;
  /** An unfinished transaction may still store events at this position or after it, and at none before; null without one. */
  horizon: RawBuilder<number> | null;
  /** Whether an event has a position that no transaction of this server has reached, as after the restore of a dump. */
  isForeign: RawBuilder<boolean> | null;
}

/** A storage that reports each commit, and after it the rows inserted into one table. */
export interface WatchedStorage<Row> extends Storage {
  /** Called after each commit that inserted rows into the table. */
  onInserted: (rows: Row[]) => void;
  /** Called after each commit, of any rows, while something waits for one. */
  onCommitted: (() => void) | undefined;
}

/**
 * Reports one row per distinct value of the given columns, so that a write of any size holds only what it reports.
 */
export function watchStorage<Table extends keyof Tables, Column extends keyof Tables[Table]>(
  storage: Storage,
  table: Table,
  columns: Column[],
): WatchedStorage<Pick<Tables[Table], Column>> {
  const watched: WatchedStorage<Pick<Tables[Table], Column>> = {
    ...withWrite(storage, write),
    onInserted: () => {},
    onCommitted: undefined,
  };
  return watched;

  async function write<Result>(work: WriteWork<Result>, options?: WriteOptions): Promise<Result> {
    const inserted = new Map<string, Tables[Table]>();
    const result = await storage.write((transaction) => {
      // The work runs again after a lost race.
      inserted.clear();
      return work(watch(transaction, inserted));
    }, options);
    if (inserted.size > 0) watched.onInserted([...inserted.values()]);
    watched.onCommitted?.();
    return result;
  }

  function watch(transaction: Connection, inserted: Map<string, Tables[Table]>): Connection {
    return {
      builder: transaction.builder,
      rows: (statement) => transaction.rows(statement),
      run: (statement) => transaction.run(statement),
      insertNew: (into, rows) => transaction.insertNew(into, rows),
      insertAll: (into, rows) => {
        const seen: Tables[Table][] = (into as keyof Tables) === table ? (rows as never[]) : [];
        for (const row of seen) inserted.set(JSON.stringify(columns.map((column) => row[column])), row);
        return transaction.insertAll(into, rows);
      },
    };
  }
}
