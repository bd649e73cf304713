import type { Connection } from './query.ts';

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
