import type { FeedOrder } from './event-feed.ts';
import type { Gate } from './gate.ts';
import type { Measures, StorageObserver } from './measures.ts';
import type { KnownSchemas } from './migrations/index.ts';
import type { Migrator } from './migrator.ts';
import type { Connection } from './query.ts';
import type { Catalogue } from './schema.ts';
import type { SnapshotWork } from './snapshot.ts';

/** One database, on either engine. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Each query is one snapshot that includes every earlier commit. */
  readonly reader: Connection;
  readonly gate: Gate;
  readonly measures: Measures;
  /** The schema versions that this program knows. */
  readonly schemas: KnownSchemas;
  readonly catalogue: Catalogue;
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
export interface PoolSizes {
  write: number;
  read: number;
  /** For long lists and exports, each of which keeps its connection until its reader has everything. */
  list: number;
}

/** Options that have no effect on SQLite. */
export type PostgresOptions = Partial<
  Omit<OpenOptions, 'create' | 'onCreated' | 'onMigrating' | 'onLost' | 'onSyncFailed'>
>;
