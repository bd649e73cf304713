import { StorageUnavailable } from '../../failure.ts';
import { type Read, type ReadConnection, ReaderThread } from './reader-thread.ts';

/** Each reads from the disk while the others wait for theirs. */
const threadsMax = 4;

/**
 * Threads that read files, so that waits for the disk do not block the thread that serves. The reads of one event loop
 * iteration are one message to one thread. Another thread is started, up to the maximum, only when all are busy with
 * slow reads: it then takes over the reads that wait behind them, so that a slow read does not delay others for long.
 */
export class ReaderThreads {
  readonly #threads = new Set<ReaderThread>();
  #waiting: Read[] = [];
  #isScheduled = false;

  read(read: Read): void {
    this.#waiting.push(read);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#dispatch();
    });
  }

  /** Resolves when no thread has the connection. None of its reads may be waiting or running. */
  async close(connection: ReadConnection): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.close(connection)));
  }

  #dispatch(): void {
    if (this.#waiting.length === 0) return;
    const thread = this.#idleThread();
    if (!thread) return;
    const batch = this.#waiting;
    this.#waiting = [];
    thread.run(batch);
  }

  /** Undefined when all threads are busy and reads must wait. */
  #idleThread(): ReaderThread | undefined {
    const threads = [...this.#threads];
    const idle = threads.find(({ isBusy }) => !isBusy);
    if (idle) return idle;
    const mayStart = threads.length < threadsMax && threads.every(({ isSlow }) => isSlow);
    return mayStart ? this.#start() : undefined;
  }

  #start(): ReaderThread | undefined {
    try {
      const thread: ReaderThread = new ReaderThread({
        onSlow: (waiting) => {
          this.#waiting.unshift(...waiting);
          this.#dispatch();
        },
        onIdle: () => this.#dispatch(),
        onEnded: () => {
          this.#threads.delete(thread);
          this.#dispatch();
        },
      });
      this.#threads.add(thread);
      return thread;
    } catch (error) {
      const failure = new StorageUnavailable('no thread that reads can be started', { cause: error });
      for (const read of this.#waiting.splice(0)) read.reject(failure);
      return undefined;
    }
  }
}
