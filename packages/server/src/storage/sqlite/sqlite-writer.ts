import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../query.ts';
import type { StorageObserver } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';
import { type OpenFiles, SqliteConnection, sqliteBuilder } from './sqlite-connection.ts';
import { asCommitFailure, asStorageFailure, isBusy } from './sqlite-failure.ts';

const lockWaitMsMax = 10_000;
const gatherMsMax = 4;
/** An event loop iteration that was shorter served no request. */
const busyTurnMsMin = 0.05;

interface WaitingWrite {
  /** Runs the work and stores its result. */
  run: (transaction: Connection) => Promise<void>;
  /** Resolves the write with that result. */
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Settles a write once its group is committed. */
type Settle = () => void;

export interface SqliteWriterParts {
  database: DatabaseSync;
  /** Undefined for a database in memory. */
  files: OpenFiles | undefined;
  /** Called once, after a commit that may or may not be stored. Nothing is executed from then on. */
  onUnknownCommit: (error: UnknownOutcome) => void;
}

/**
 * The only writing connection. All writes waiting at one moment share one transaction and one sync, which SQLite makes
 * inside the commit. All of them settle after it, including those that throw, because a refusal may reveal the effect of
 * an earlier write.
 */
export class SqliteWriter {
  readonly #parts: SqliteWriterParts;
  readonly #connection: SqliteConnection;
  #waiting: WaitingWrite[] = [];
  /** Settles when no write waits any more; undefined when none does. */
  #draining: Promise<void> | undefined;
  /** Settles when the open group is committed or rolled back; undefined when none is open. */
  #openGroup: Promise<void> | undefined;
  observer: StorageObserver | undefined;

  constructor(parts: SqliteWriterParts) {
    this.#parts = parts;
    this.#connection = new SqliteConnection(parts.database, sqliteBuilder, (error) => error);
  }

  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#waiting.push({
        run: async (transaction) => {
          result = await work(transaction);
        },
        resolve: () => resolve(result),
        reject,
      });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no transaction is open. None is opened before the next turn of the event loop. */
  async idle(): Promise<void> {
    while (this.#openGroup) await this.#openGroup;
  }

  /** Resolves when every waiting write is settled. */
  async drained(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    await this.#gather();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      this.#openGroup = this.#execute(group);
      await this.#openGroup;
      this.#openGroup = undefined;
      await this.#gather();
    }
    this.#draining = undefined;
  }

  /**
   * Briefly waits while there is other work: the writes that arrive meanwhile share one sync, so that the process
   * blocks less often. A write that arrives alone waits for nothing.
   */
  async #gather(): Promise<void> {
    const beganAt = performance.now();
    let turnBeganAt: number;
    let now = beganAt;
    do {
      turnBeganAt = now;
      await new Promise(setImmediate);
      now = performance.now();
    } while (now - turnBeganAt > busyTurnMsMin && now - beganAt < gatherMsMax);
  }

  async #execute(group: WaitingWrite[]): Promise<void> {
    const { changes } = this.#connection;
    try {
      const settlers = (await this.#groupWithoutSavepoints(group)) ?? (await this.#groupWithSavepoints(group));
      const hasChanged = this.#connection.changes > changes;
      const seconds = this.#commit();
      this.#assertStored(hasChanged);
      for (const settle of settlers) settle();
      if (hasChanged) this.observer?.committed({ seconds, writes: settlers.length });
    } catch (error) {
      const failure = error instanceof UnknownOutcome ? error : await this.#abandon(error);
      for (const write of group) write.reject(failure);
    }
  }

  /** Returns the duration in seconds. Throws `UnknownOutcome` if a restart may find the transaction stored. */
  #commit(): number {
    const startedAt = performance.now();
    try {
      this.#parts.database.exec('commit');
      return (performance.now() - startedAt) / 1_000;
    } catch (error) {
      const failure = asCommitFailure(error);
      if (failure instanceof UnknownOutcome) this.#parts.onUnknownCommit(failure);
      throw failure;
    }
  }

  /** A commit may have gone to a file that was just removed. */
  #assertStored(hasChanged: boolean): void {
    try {
      this.#parts.files?.assertInPlace();
    } catch (error) {
      throw hasChanged ? new UnknownOutcome('the database was lost during a commit', { cause: error }) : error;
    }
  }

  /**
   * Runs without savepoints, which would add a fifth to the time of each write and are rarely needed. Returns null
   * when one is needed: a write has failed after a change.
   */
  async #groupWithoutSavepoints(group: WaitingWrite[]): Promise<Settle[] | null> {
    this.#rollBack();
    await this.#begin();
    const settlers: Settle[] = [];
    for (const write of group) {
      const { changes } = this.#connection;
      try {
        await write.run(this.#connection);
        settlers.push(write.resolve);
      } catch (error) {
        this.#requireTransaction(error);
        if (group.length === 1) throw error;
        if (this.#connection.changes > changes) return null;
        settlers.push(() => write.reject(asStorageFailure(error)));
      }
    }
    return settlers;
  }

  /** Reruns all of them; those that fail leave nothing behind. */
  async #groupWithSavepoints(group: WaitingWrite[]): Promise<Settle[]> {
    await allExecuted();
    this.#rollBack();
    await this.#begin();
    const settlers: Settle[] = [];
    for (const write of group) {
      this.#parts.database.exec('savepoint one_write');
      try {
        await write.run(this.#connection);
        settlers.push(write.resolve);
      } catch (error) {
        this.#requireTransaction(error);
        await allExecuted();
        this.#parts.database.exec('rollback to one_write');
        settlers.push(() => write.reject(asStorageFailure(error)));
      }
      this.#parts.database.exec('release one_write');
    }
    return settlers;
  }

  /** Takes the write lock. Waits between attempts and not inside SQLite, so that reads are served while another process writes. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + lockWaitMsMax;
    for (;;) {
      try {
        this.#parts.files?.assertUsable();
        this.#parts.database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(2 + Math.random() * 8);
      }
    }
  }

  /** A full disk or a failed write rolls back the complete transaction: none of its writes is stored. */
  #requireTransaction(error: unknown): void {
    if (this.#parts.database.isTransaction) return;
    throw new StorageUnavailable('SQLite rolled the transaction back', { cause: error });
  }

  /** Returns the failure of a group that stores nothing. */
  async #abandon(error: unknown): Promise<unknown> {
    await allExecuted();
    try {
      this.#rollBack();
    } catch {
      // The next group tries it again.
    }
    try {
      // A refusal shows what the database holds.
      this.#parts.files?.assertInPlace();
      return asStorageFailure(error);
    } catch (lost) {
      return lost;
    }
  }

  #rollBack(): void {
    if (this.#parts.database.isOpen && this.#parts.database.isTransaction) this.#parts.database.exec('rollback');
  }
}

/**
 * Resolves once a failed work has executed all of its remaining statements: after a rollback they would be committed.
 */
function allExecuted(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
