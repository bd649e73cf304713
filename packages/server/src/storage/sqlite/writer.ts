import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../failure.ts';
import type { StorageObserver } from '../measures.ts';
import type { Connection } from '../query.ts';
import type { QueryBuilder } from '../statement.ts';
import { SqliteConnection } from './connection.ts';
import { asCommitFailure, asStorageFailure, isBusy } from './failure.ts';

const lockWaitMsMax = 10_000;
const gatherMsMax = 4;
/** In a shorter turn of the event loop nobody was served. */
const busyTurnMsMin = 0.05;

interface WaitingWrite {
  /** Runs the work and keeps its result. */
  run: (transaction: Connection) => Promise<void>;
  /** Hands the result on. */
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Tells a write its outcome, once the transaction is committed. */
type Answer = () => void;

/**
 * The one connection that writes. The writes that wait at one moment share one transaction, and one sync; all of
 * them are answered after it, also those that were refused, as a refusal may tell what the write before it has done.
 */
export class SqliteWriter {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  #waiting: WaitingWrite[] = [];
  /** Settles when no write waits any more; undefined when none does. */
  #draining: Promise<void> | undefined;
  observer: StorageObserver | undefined;
  /** Settles when the open group is committed or rolled back; undefined when none is open. */
  #openGroup: Promise<void> | undefined;

  constructor(database: DatabaseSync, builder: QueryBuilder) {
    this.#database = database;
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

  /** Resolves when every write that waits is answered. */
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
   * Waits while there is other work to do, and not for long: the writes that come meanwhile share one sync, and the
   * process, which stands still for it, does so less often. A write that comes alone waits for nothing.
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
    let answers: Answer[];
    let seconds: number;
    try {
      answers = (await this.#runTogether(group)) ?? (await this.#runApart(group));
      seconds = commit(this.#database);
    } catch (error) {
      this.#rollBack();
      const failure = asStorageFailure(error);
      for (const write of group) write.reject(failure);
      return;
    }
    for (const answer of answers) answer();
    this.observer?.committed({ seconds, writes: answers.length });
  }

  /**
   * Without savepoints, which take a fifth of the time of what a write executes, and are of use to hardly any. Null
   * when one would have been: a write has failed that had changed something.
   */
  async #runTogether(group: WaitingWrite[]): Promise<Answer[] | null> {
    await this.#begin();
    const answers: Answer[] = [];
    for (const write of group) {
      const { changes } = this.#connection;
      try {
        await write.run(this.#connection);
        answers.push(write.resolve);
      } catch (error) {
        this.#requireTransaction(error);
        if (group.length === 1) throw error;
        if (this.#connection.changes > changes) return null;
        answers.push(() => write.reject(asStorageFailure(error)));
      }
    }
    return answers;
  }

  /** All of them again, from the beginning: those that fail leave nothing behind. */
  async #runApart(group: WaitingWrite[]): Promise<Answer[]> {
    this.#rollBack();
    await this.#begin();
    const answers: Answer[] = [];
    for (const write of group) {
      this.#database.exec('savepoint one_write');
      try {
        await write.run(this.#connection);
        answers.push(write.resolve);
      } catch (error) {
        this.#requireTransaction(error);
        this.#database.exec('rollback to one_write');
        answers.push(() => write.reject(asStorageFailure(error)));
      }
      this.#database.exec('release one_write');
    }
    return answers;
  }

  /**
   * Takes the write lock. Waiting happens between tries and not inside SQLite, so that reads are
   * served while another process writes.
   */
  async #begin(): Promise<void> {
    const deadline = Date.now() + lockWaitMsMax;
    for (;;) {
      try {
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
        await sleep(2 + Math.random() * 8);
      }
    }
  }

  /** A full disk or a failed write rolls the whole transaction back: nobody's work is stored. */
  #requireTransaction(error: unknown): void {
    if (this.#database.isTransaction) return;
    throw new StorageUnavailable('SQLite rolled the transaction back', { cause: error });
  }

  #rollBack(): void {
    if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback');
  }
}

/** How long it has taken, in seconds. */
function commit(database: DatabaseSync): number {
  const begunAt = performance.now();
  try {
    database.exec('commit');
    return (performance.now() - begunAt) / 1_000;
  } catch (error) {
    throw asCommitFailure(error);
  }
}
