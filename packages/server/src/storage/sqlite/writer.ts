import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable, UnknownOutcome } from '../failure.ts';
import type { StorageObserver } from '../measures.ts';
import type { Connection } from '../query.ts';
import type { QueryBuilder } from '../statement.ts';
import type { SqliteChanges } from './changes.ts';
import { SqliteConnection } from './connection.ts';
import { asCommitFailure, asStorageFailure, isBusy } from './failure.ts';
import type { SqliteLog } from './log.ts';

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

/** Settles a write once its group is durable. */
type Settle = () => void;

interface Executed {
  settlers: Settle[];
  /** Whether anything may have been written. */
  hasChanged: boolean;
  /** Resolves once everything that was written or seen is durable. */
  durable: Promise<void> | undefined;
}

export interface SqliteWriterParts {
  database: DatabaseSync;
  builder: QueryBuilder;
  /** Throws when other processes and a restart would not find what is written. */
  assertInPlace: () => void;
  changes: SqliteChanges;
  /** Undefined for a database in memory. */
  log: SqliteLog | undefined;
}

/**
 * The only writing connection. All writes waiting at one moment share one transaction and one sync. All of them
 * settle after it, including those that throw, because a refusal may reveal the effect of an earlier write. While a
 * group waits for its sync, the next one is executed.
 */
export class SqliteWriter {
  readonly #parts: SqliteWriterParts;
  readonly #connection: SqliteConnection;
  #waiting: WaitingWrite[] = [];
  /** Settles when no write waits any more; undefined when none does. */
  #draining: Promise<void> | undefined;
  observer: StorageObserver | undefined;
  /** The settlement of the last group. Groups settle in their order. */
  #settling: Promise<void> | undefined;
  /** Settles when the open group is committed or rolled back; undefined when none is open. */
  #openGroup: Promise<void> | undefined;

  constructor(parts: SqliteWriterParts) {
    this.#parts = parts;
    this.#connection = new SqliteConnection(parts.database, parts.builder, (error) => error);
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
    await this.#settling;
  }

  async #drain(): Promise<void> {
    await this.#gather();
    while (this.#waiting.length > 0) {
      const ready = this.#parts.log?.ready();
      await ready?.catch(() => {});
      const group = this.#waiting;
      this.#waiting = [];
      this.#openGroup = this.#execute(group, ready);
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

  /** Resolves when the group is committed or rolled back, and its settlement waits for the disk. */
  async #execute(group: WaitingWrite[], ready: Promise<void> | undefined): Promise<void> {
    const { changes } = this.#connection;
    try {
      await ready;
      const settlers = (await this.#runTogether(group)) ?? (await this.#runApart(group));
      // Executed beside its sync.
      await this.#settling;
      const hasChanged = this.#connection.changes > changes;
      const durable = this.#commit(hasChanged);
      this.#settling = this.#settle(group, { settlers, hasChanged, durable });
    } catch (error) {
      const failure = asStorageFailure(error);
      try {
        await allExecuted();
        this.#rollBack();
      } catch {
        // The next group tries it again.
      }
      const settlers = group.map((write) => () => write.reject(failure));
      this.#settling = this.#settle(group, { settlers, hasChanged: false, durable: this.#parts.log?.synced() });
    }
  }

  /** Resolves once everything that the transaction has written or seen is durable. */
  #commit(hasChanged: boolean): Promise<void> | undefined {
    const { database, changes, log } = this.#parts;
    const commit = () => {
      try {
        database.exec('commit');
      } catch (error) {
        throw asCommitFailure(error);
      }
    };
    if (log && hasChanged) return log.commit(commit);
    commit();
    if (log) return log.synced();
    changes.committed();
    changes.durable();
    return undefined;
  }

  async #settle(group: WaitingWrite[], { settlers, hasChanged, durable }: Executed): Promise<void> {
    const committedAt = performance.now();
    try {
      await durable;
      this.#parts.assertInPlace();
    } catch (error) {
      const failure = hasChanged
        ? new UnknownOutcome('the log could not be synced, or the database was lost', { cause: error })
        : asStorageFailure(error);
      for (const write of group) write.reject(failure);
      return;
    }
    for (const settle of settlers) settle();
    if (hasChanged) {
      this.observer?.committed({ seconds: (performance.now() - committedAt) / 1_000, writes: settlers.length });
    }
  }

  /**
   * Runs without savepoints, which would add a fifth to the time of each write and are rarely needed. Returns null
   * when one is needed: a write has failed after a change.
   */
  async #runTogether(group: WaitingWrite[]): Promise<Settle[] | null> {
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
  async #runApart(group: WaitingWrite[]): Promise<Settle[]> {
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
        this.#parts.assertInPlace();
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
