import type { FeedOrder } from './event-feed.ts';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import type { Migrator } from './migrator.ts';
import type { Connection } from './query.ts';
import type { RequestLookups } from './request-lookups.ts';
import type { SchemaReader } from './schema.ts';
import type { SnapshotWork } from './statement.ts';

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
