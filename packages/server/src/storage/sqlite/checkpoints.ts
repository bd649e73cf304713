import { Worker } from 'node:worker_threads';
import type { CheckpointResult, CheckpointStep } from './checkpoint-thread.ts';

/**
 * Copies the log of an open file into the file, in a thread, because that waits for the disk. Most of it beside the writes
 * of this process; the last part between two of them, so that the log begins anew and does not grow for ever.
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
  /** Whether the log was copied, so that it can begin anew; not while a long read needs much of it. */
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
    // A failure is one of the disk, which the next sync reports.
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

  /** Call it between two writes of this process, when nothing that it has written waits for a sync. */
  async restart(): Promise<void> {
    this.isRestartDue = false;
    await this.#step('restart').catch(() => {});
  }

  async close(): Promise<void> {
    if (!this.#thread) return;
    await this.#step('close').catch(() => {});
    // It has ended if it could not open the file.
    await this.#thread?.terminate();
  }

  #step(step: CheckpointStep): Promise<number> {
    const next = this.#last.then(() => this.#request(step));
    this.#last = next.catch(() => {});
    return next;
  }

  #request(step: CheckpointStep): Promise<number> {
    this.#thread ??= this.#start();
    const thread = this.#thread;
    thread.ref();
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const onMessage = ({ error, left = 0 }: CheckpointResult) => (error === undefined ? resolve(left) : reject(error));
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
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: this.#location });
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
