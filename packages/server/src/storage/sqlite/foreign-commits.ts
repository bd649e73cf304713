import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { asStorageFailure } from './failure.ts';

/**
 * Counts commits of other processes. SQLite shows those of any other connection. The checkpoint thread makes one that
 * restarts the log: it is not counted, since it changes nothing.
 */
export class ForeignCommits {
  readonly #dataVersion: StatementSync;
  readonly #noCheckpoint: StatementSync;
  #version: unknown;
  #count = 0;
  #isRestarting = false;

  constructor(writer: DatabaseSync) {
    this.#dataVersion = writer.prepare('pragma data_version');
    this.#noCheckpoint = writer.prepare('pragma wal_checkpoint(noop)');
  }

  /** Has grown if another process may have committed since the last call. */
  count(): number {
    const version = this.#read(this.#dataVersion)?.data_version;
    // At first the log is empty, and then it has the one page that the thread has written.
    if (version !== this.#version && !(this.#isRestarting && [0, 1].includes(this.logPages()))) this.#count += 1;
    this.#version = version;
    return this.#count;
  }

  /** While the thread commits. It must have the write lock, so that no other process commits before it. */
  async exceptRestart(commit: () => Promise<void>): Promise<void> {
    this.count();
    this.#isRestarting = true;
    try {
      await commit();
      this.count();
    } catch (error) {
      this.#count += 1;
      throw error;
    } finally {
      this.#isRestarting = false;
    }
  }

  /** The length of the log; -1 while another process is just changing it. */
  logPages(): number {
    return Number(this.#read(this.#noCheckpoint)?.log);
  }

  #read(statement: StatementSync): ReturnType<StatementSync['get']> {
    try {
      return statement.get();
    } catch (error) {
      throw asStorageFailure(error);
    }
  }
}
