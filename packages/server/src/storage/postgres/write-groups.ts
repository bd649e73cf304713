import { StorageUnavailable, UnknownOutcome } from '../failure.ts';
import type { Connection } from '../query.ts';
import { collector, complete, type Later, type WriteWork } from '../storage.ts';
import { asStorageFailure } from './failure.ts';
import type { Transaction } from './transaction.ts';

const writesMax = 64;
/** Other processes wait for the row meanwhile. */
const groupMsMax = 20;

/** What a transaction executes before its commit. */
export type TransactionWork<Result> = (transaction: Transaction) => Promise<Executed<Result>>;

export interface Executed<Result> {
  result: Result;
  /** How many writes the transaction stores. */
  writes: number;
}

/** Settles a write once its group is committed. */
type Settle = () => void;

interface WaitingWrite {
  /** Runs the work and keeps its result. */
  run: (transaction: Connection, later: Later) => Promise<void>;
  /** Resolves the write with that result. */
  resolve: Settle;
  reject: (error: unknown) => void;
  /** Fails the write when it has waited too long. */
  timer: NodeJS.Timeout;
}

interface WriteGroupsParts {
  /** Executes a transaction, again after a lost race, and throws storage errors. */
  execute: <Result>(work: TransactionWork<Result>) => Promise<Result>;
  waitMsMax: number;
}

/**
 * Writes of this process that lock the same row: each would wait for the commits of all before it. Those that arrive during
 * one transaction share the next one. All of them settle after its commit, also those that throw, because a refusal may
 * reveal the effect of an earlier write.
 */
export class WriteGroups {
  readonly #parts: WriteGroupsParts;
  /** The waiting writes by the id of their row, while a transaction of the row is in progress. */
  readonly #queues = new Map<string, WaitingWrite[]>();

  constructor(parts: WriteGroupsParts) {
    this.#parts = parts;
  }

  write<Result>(id: string, work: WriteWork<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      const write: WaitingWrite = {
        run: async (transaction, later) => {
          result = await work(transaction, later);
        },
        resolve: () => resolve(result),
        reject,
        timer: setTimeout(() => this.#expire(id, write), this.#parts.waitMsMax),
      };
      const queue = this.#queues.get(id);
      if (queue) queue.push(write);
      else this.#drain(id, [write]);
    });
  }

  #expire(id: string, write: WaitingWrite): void {
    const queue = this.#queues.get(id);
    const at = queue?.indexOf(write) ?? -1;
    if (at < 0) return;
    queue?.splice(at, 1);
    write.reject(new StorageUnavailable('the earlier changes of the same row take too long'));
  }

  async #drain(id: string, queue: WaitingWrite[]): Promise<void> {
    this.#queues.set(id, queue);
    while (queue.length > 0) {
      const group = queue.splice(0, writesMax);
      for (const { timer } of group) clearTimeout(timer);
      queue.unshift(...(await this.#execute(group)));
    }
    this.#queues.delete(id);
  }

  /** Returns those that are left for the next group. */
  async #execute(group: WaitingWrite[]): Promise<WaitingWrite[]> {
    const { execute } = this.#parts;
    try {
      const settlers = await execute(together(group)).catch((error: unknown) => {
        if (group.length === 1 || error instanceof StorageUnavailable || error instanceof UnknownOutcome) throw error;
        return execute(apart(group));
      });
      for (const settle of settlers) settle();
      return group.slice(settlers.length);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return [];
    }
  }
}

/** A write on its own. */
export function alone<Result>(work: WriteWork<Result>): TransactionWork<Result> {
  return async (transaction) => ({ result: await complete(transaction.connect(), work), writes: 1 });
}

/** Without savepoints, which are rarely needed. Throws when one is: a write has failed after a change. */
function together(group: WaitingWrite[]): TransactionWork<Settle[]> {
  return async (transaction) => {
    const settlers: Settle[] = [];
    const parts: Promise<unknown>[] = [];
    for (const write of withinTime(group)) {
      let hasChanged = false;
      const connection = transaction.connect(() => {
        hasChanged = true;
      });
      try {
        await write.run(connection, collector(parts));
        settlers.push(write.resolve);
      } catch (error) {
        if (group.length === 1 || transaction.hasFailed || hasChanged) throw error;
        settlers.push(() => write.reject(error));
      }
    }
    await Promise.all(parts);
    transaction.requireIntact();
    return { result: settlers, writes: settlers.length };
  };
}

/** With a savepoint for each; those that fail leave nothing behind. */
function apart(group: WaitingWrite[]): TransactionWork<Settle[]> {
  return async (transaction) => {
    const connection = transaction.connect();
    const settlers: Settle[] = [];
    for (const write of withinTime(group)) {
      await transaction.setSavepoint();
      try {
        await complete(connection, write.run);
        transaction.requireIntact();
        settlers.push(write.resolve);
      } catch (error) {
        const failure = asStorageFailure(await transaction.causeOf(error));
        if (failure instanceof StorageUnavailable || transaction.lostStatement) throw error;
        await transaction.rollBackToSavepoint();
        settlers.push(() => write.reject(failure));
      }
      await transaction.releaseSavepoint();
    }
    return { result: settlers, writes: settlers.length };
  };
}

/** Includes at least the first one, whose wait for the row does not count. */
function* withinTime(group: WaitingWrite[]): Generator<WaitingWrite, undefined> {
  let endsAt = Number.POSITIVE_INFINITY;
  for (const write of group) {
    if (performance.now() > endsAt) return;
    yield write;
    if (endsAt === Number.POSITIVE_INFINITY) endsAt = performance.now() + groupMsMax;
  }
}
