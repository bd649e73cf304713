import { sql } from 'kysely';
import {
  asStorageFailure,
  isLostStatement,
  isRefusedAfterFailure,
  isStaleStatement,
} from '../postgres/postgres-failure.ts';
import type { Connection, Statement } from '../query.ts';
import type { Storage, WriteWork } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';

const writesMax = 64;
/** Other processes wait for the row meanwhile. */
const groupMsMax = 20;
/** The limit for a connection: longer waits fail in the same way. */
const waitMsMax = 5_000;

/** Settles a write once its group is committed. */
type Settle = () => void;

interface WaitingWrite {
  /** Runs the work and keeps its result. */
  run: (transaction: Connection) => Promise<void>;
  /** Resolves the write with the result of the work. */
  resolve: Settle;
  reject: (error: unknown) => void;
  /** Fails the write when it has waited too long. */
  timer: NodeJS.Timeout;
}

/**
 * Returns `Storage.write` with shared transactions for the writes of this process that lock the same row (`groupKey`).
 * Without it, each of them waits for the commits of all before it. Writes that arrive during one transaction share the
 * next one. All of them settle after its commit, also those that throw, because a refusal may reveal the effect of an
 * earlier write.
 */
export function groupWrites(write: Storage['write'], groupMs = groupMsMax): Storage['write'] {
  const groups = new WriteGroups(write, groupMs);
  return (work, options) =>
    options?.groupKey === undefined ? write(work, options) : groups.write(options.groupKey, work);
}

class WriteGroups {
  readonly #write: Storage['write'];
  readonly #groupMs: number;
  /** The waiting writes by their key, while a transaction of that key is in progress. */
  readonly #queues = new Map<string, WaitingWrite[]>();

  constructor(write: Storage['write'], groupMs: number) {
    this.#write = write;
    this.#groupMs = groupMs;
  }

  write<Result>(key: string, work: WriteWork<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      const write: WaitingWrite = {
        run: async (transaction) => {
          result = await work(transaction);
        },
        resolve: () => resolve(result),
        reject,
        timer: setTimeout(() => this.#expire(key, write), waitMsMax),
      };
      const queue = this.#queues.get(key);
      if (queue) queue.push(write);
      else this.#drain(key, [write]);
    });
  }

  #expire(key: string, write: WaitingWrite): void {
    const queue = this.#queues.get(key);
    const at = queue?.indexOf(write) ?? -1;
    if (at < 0) return;
    queue?.splice(at, 1);
    write.reject(new StorageUnavailable('the earlier changes of the same row take too long'));
  }

  async #drain(key: string, queue: WaitingWrite[]): Promise<void> {
    this.#queues.set(key, queue);
    while (queue.length > 0) {
      const group = queue.splice(0, writesMax);
      for (const { timer } of group) clearTimeout(timer);
      queue.unshift(...(await this.#writeGroup(group)));
    }
    this.#queues.delete(key);
  }

  /** Returns those that are left for the next group. */
  async #writeGroup(group: WaitingWrite[]): Promise<WaitingWrite[]> {
    try {
      const settlers = await this.#write(groupWithoutSavepoints(group, this.#groupMs)).catch((error: unknown) => {
        if (group.length === 1 || error instanceof StorageUnavailable || error instanceof UnknownOutcome) throw error;
        return this.#write(groupWithSavepoints(group, this.#groupMs));
      });
      for (const settle of settlers) settle();
      return group.slice(settlers.length);
    } catch (error) {
      for (const { reject } of group) reject(error);
      return [];
    }
  }
}

/** Savepoints are rarely needed. Throws when one is: a write has failed after a change. */
function groupWithoutSavepoints(group: WaitingWrite[], groupMs: number): WriteWork<Settle[]> {
  return async (transaction) => {
    const settlers: Settle[] = [];
    for (const write of withinTime(group, groupMs)) {
      const statements = new ObservedConnection(transaction);
      try {
        await write.run(statements);
        settlers.push(write.resolve);
      } catch (error) {
        if (group.length === 1 || statements.failure || statements.hasChanged) throw error;
        settlers.push(() => write.reject(error));
      }
      if (statements.failure) throw droppedError;
    }
    return settlers;
  };
}

/** A write that fails is undone on its own. */
function groupWithSavepoints(group: WaitingWrite[], groupMs: number): WriteWork<Settle[]> {
  return async (transaction) => {
    const settlers: Settle[] = [];
    const run = (text: string) => transaction.run(sql.raw(text).compile(transaction.builder));
    for (const write of withinTime(group, groupMs)) {
      const statements = new ObservedConnection(transaction);
      await run('savepoint one_write');
      try {
        await write.run(statements);
        if (statements.failure) throw droppedError;
        settlers.push(write.resolve);
      } catch (error) {
        const cause = isRefusedAfterFailure(error) ? statements.failure : error;
        const failure = asStorageFailure(cause);
        if (failure instanceof StorageUnavailable || isLostStatement(cause) || isStaleStatement(cause)) throw cause;
        // The failed work may have more statements to send, which must precede the rollback.
        await new Promise(setImmediate);
        await run('rollback to one_write');
        settlers.push(() => write.reject(failure));
      }
      await run('release one_write');
    }
    return settlers;
  };
}

const droppedError = new Error('a statement failed in the transaction, and its error was dropped');

/** Includes at least the first one, whose wait for the row does not count. */
function* withinTime(group: WaitingWrite[], groupMs: number): Generator<WaitingWrite, undefined> {
  let endsAt = Number.POSITIVE_INFINITY;
  for (const write of group) {
    if (performance.now() > endsAt) return;
    yield write;
    if (endsAt === Number.POSITIVE_INFINITY) endsAt = performance.now() + groupMs;
  }
}

/** The transaction for one write, which remembers what the write has done. */
class ObservedConnection implements Connection {
  /** Whether it has executed a statement that can change something. */
  hasChanged = false;
  /** The first error of a statement. */
  failure: unknown;
  readonly #transaction: Connection;

  constructor(transaction: Connection) {
    this.#transaction = transaction;
  }

  get builder(): Connection['builder'] {
    return this.#transaction.builder;
  }

  rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    if (statement.query?.kind !== 'SelectQueryNode') this.hasChanged = true;
    return this.#observed(this.#transaction.rows(statement));
  }

  run(statement: Statement): Promise<number> {
    this.hasChanged = true;
    return this.#observed(this.#transaction.run(statement));
  }

  insertAll: Connection['insertAll'] = (table, rows) => {
    this.hasChanged = true;
    return this.#observed(this.#transaction.insertAll(table, rows));
  };

  insertNew: Connection['insertNew'] = (table, rows) => {
    this.hasChanged = true;
    return this.#observed(this.#transaction.insertNew(table, rows));
  };

  #observed<Result>(result: Promise<Result>): Promise<Result> {
    result.catch((error: unknown) => {
      this.failure ??= error;
    });
    return result;
  }
}
