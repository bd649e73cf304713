import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CheckpointResult, CheckpointStep } from './checkpoint-thread.ts';

const program = new URL(`./checkpoint-thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * Copies the log of an open file into the file, in a thread, because that waits for the disk. Most of it is copied
 * while this process writes; the last part between two writes, so that the log restarts and does not grow forever.
 */
export class SqliteCheckpoints {
  readonly #location: string;
  readonly #pagesMax: number;
  /** The length of the log at which it is copied next. */
  #dueAt: number;
  #thread: Worker | undefined;
  /** Steps are executed one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #isCopying = false;
  /** Whether the log was copied and can restart; not while a long read needs much of it. */
  isRestartDue = false;

  constructor(location: string, pagesMax: number) {
    this.#location = location;
    this.#pagesMax = pagesMax;
    this.#dueAt = pagesMax;
  }

  /** Call it with the length of the log after each sync. */
  copyWhenDue(pages: number): void {
    if (pages < this.#pagesMax) this.#dueAt = this.#pagesMax;
    if (pages < this.#dueAt || this.#isCopying) return;
    // A long read may need the log: then it is not tried again after every sync.
    this.#dueAt = pages + this.#pagesMax;
    this.#isCopying = true;
    // After a disk failure the log gets longer, and the copy is retried.
    this.#step('copy')
      .then(
        (left) => {
          this.isRestartDue = left < this.#pagesMax;
        },
        () => {},
      )
      .finally(() => {
        this.#isCopying = false;
      });
  }

  /**
   * Call it between two writes of this process, when nothing that it has written waits for a sync. The first write of the
   * new log waits for one. It has one page, and `during` makes its commit, while no other process can write.
   */
  async restart(during: (commit: () => Promise<void>) => Promise<void>): Promise<void> {
    this.isRestartDue = false;
    this.#last = this.#last.then(() => this.#lockAnd(during));
    await this.#last;
  }

  async close(): Promise<void> {
    if (!this.#thread) return;
    await this.#step('close').catch(() => {});
    // It has ended if it could not open the file.
    await this.#thread?.terminate();
  }

  /** After a disk failure, this is retried once the log has been copied again. */
  async #lockAnd(during: (commit: () => Promise<void>) => Promise<void>): Promise<void> {
    try {
      await this.#request('lock');
      await during(async () => {
        await this.#request('commit');
      });
    } catch {
      // Without the thread, no lock is left.
      await this.#thread?.terminate();
    }
  }

  #step(step: CheckpointStep): Promise<number> {
    const next = this.#last.then(() => this.#request(step));
    this.#last = next.catch(() => {});
    return next;
  }

  /** Resolves to the pages that are left. */
  #request(step: CheckpointStep): Promise<number> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const onMessage = (result: CheckpointResult) => ('left' in result ? resolve(result.left) : reject(result.error));
    const onEnd = (reason: unknown) =>
      reject(reason instanceof Error ? reason : new Error(`the thread of the checkpoints ended with ${reason}`));
    thread.on('message', onMessage).on('error', onEnd).on('exit', onEnd);
    thread.postMessage(step);
    return promise.finally(() => {
      thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      thread.unref();
    });
  }

  #start(): Worker {
    // Without the environment, whose secrets it does not need, and without what tests preload.
    const thread = new Worker(program, { name: 'checkpoints', workerData: this.#location, env: {}, execArgv: [] });
    // The step under way, if any, reports the error.
    thread
      .on('error', () => {})
      .on('exit', () => {
        this.#thread = undefined;
      });
    thread.unref();
    return thread;
  }
}
