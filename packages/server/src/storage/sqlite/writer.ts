import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable, UnknownOutcome } from '../failure.ts';
import type { StorageObserver } from '../measures.ts';
import type { Connection } from '../query.ts';
import type { QueryBuilder } from '../statement.ts';
import { SqliteConnection } from './connection.ts';
import { asCommitFailure, asStorageFailure, isBusy } from './failure.ts';

const lockWaitMsMax = 10_000;
const gatherMsMax = 4;
/** A turn of the event loop that was shorter served no request. */
const busyTurnMsMin = 0.05;

interface WaitingWrite {
  /** Runs the work and stores its result. */
  run: (transaction: Connection) => Promise<void>;
  /** Resolves the write with that result. */
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Settles a write once the transaction is committed. */
type Settle = () => void;

/**
 * The only writing connection. All writes waiting at one moment share one transaction and one sync. All of them
 * settle after it, including those that throw, because a refusal may reveal the effect of an earlier write.
 */
export class SqliteWriter {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #assertInPlace: () => void;
  #waiting: WaitingWrite[] = [];
  /** Settles when no write waits any more; undefined when none does. */
  #draining: Promise<void> | undefined;
  observer: StorageObserver | undefined;
  /** Settles when the open group is committed or rolled back; undefined when none is open. */
  #openGroup: Promise<void> | undefined;

  /** `assertInPlace` throws when other processes and a restart would not find what is written. */
  constructor(database: DatabaseSync, builder: QueryBuilder, { assertInPlace }: { assertInPlace: () => void }) {
    this.#database = database;
    this.#assertInPlace = assertInPlace;
    this.#connection = new SqliteConnection(database, builder, (error) => error);
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

  /** Resolves once everything that is visible at this moment is on the disk. */
  async synced(): Promise<void> {}

  /** Resolves when every waiting write is settled. */
  async drained(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    await this.#gather();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      this.#openGroup = this.#commit(group);
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

  async #commit(group: WaitingWrite[]): Promise<void> {
    let settlers: Settle[];
    let seconds: number;
    try {
      settlers = (await this.#runTogether(group)) ?? (await this.#runApart(group));
      seconds = commit(this.#database);
      this.#assertStored();
    } catch (error) {
      this.#rollBack();
      const failure = asStorageFailure(error);
      for (const write of group) write.reject(failure);
      return;
    }
    for (const settle of settlers) settle();
    this.observer?.committed({ seconds, writes: settlers.length });
  }

  /**
   * Runs without savepoints, which would add a fifth to the time of each write and are rarely needed. Returns null
   * when one is needed: a write has failed after a change.
   */
  async #runTogether(group: WaitingWrite[]): Promise<Settle[] | null> {
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
  async #runApart(group: WaitingWrite[]): Promise<Settle[]> {
    this.#rollBack();
    await this.#begin();
    const settlers: Settle[] = [];
    for (const write of group) {
      this.#database.exec('savepoint one_write');
      try {
        await write.run(this.#connection);
        settlers.push(write.resolve);
      } catch (error) {
        this.#requireTransaction(error);
        this.#database.exec('rollback to one_write');
        settlers.push(() => write.reject(asStorageFailure(error)));
      }
      this.#database.exec('release one_write');
    }
    return settlers;
  }

  /** Takes the write lock. Waits between attempts and not inside SQLite, so that reads are served while another process writes. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + lockWaitMsMax;
    for (;;) {
      try {
        this.#assertInPlace();
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await sleep(2 + Math.random() * 8);
      }
    }
  }

  /** Call it after a commit, which may have gone to a file that was just removed. */
  #assertStored(): void {
    try {
      this.#assertInPlace();
    } catch (error) {
      throw new UnknownOutcome('the database was lost during a commit', { cause: error });
    }
  }

  /** A full disk or a failed write rolls back the complete transaction: none of its writes is stored. */
  #requireTransaction(error: unknown): void {
    if (this.#database.isTransaction) return;
    throw new StorageUnavailable('SQLite rolled the transaction back', { cause: error });
  }

  #rollBack(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback');
  }
}

/** Returns the duration in seconds. */
function commit(database: DatabaseSync): number {
  const begunAt = performance.now();
  try {
    database.exec('commit');
    return (performance.now() - begunAt) / 1_000;
  } catch (error) {
    throw asCommitFailure(error);
  }
}
