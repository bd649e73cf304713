import type { MigrationStatement } from './migrations/migration.ts';
import type { Connection } from './query.ts';

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
