import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Number of pauses without a failure before it counts as recovered: it may be readable but not writable. */
const recoveryPauses = 10;

/** Runs work on a database that may be unavailable for a while. Logs once when it fails and once when it recovers. */
export class RetryingDatabase {
  readonly #logger: Logger;
  readonly #pauseMs: number;
  readonly #ended: AbortSignal;
  /** Time of the latest failure, by `performance.now()`; undefined while the database works. */
  #failedAt: number | undefined;

  constructor({ logger, pauseMs, ended }: { logger: Logger; pauseMs: number; ended: AbortSignal }) {
    this.#logger = logger;
    this.#pauseMs = pauseMs;
    this.#ended = ended;
  }

  /** Returns the result of the work, or undefined after a failure and a pause. Never rejects. */
  async run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.#reportRecovery();
      return result;
    } catch (error) {
      if (this.#failedAt === undefined) {
        this.#logger.warn({ err: error }, 'event delivery paused: database unavailable');
      }
      this.#failedAt = performance.now();
      await sleep(this.#pauseMs, undefined, { signal: this.#ended }).catch(() => {});
      return undefined;
    }
  }

  #reportRecovery(): void {
    if (this.#failedAt === undefined || performance.now() - this.#failedAt < recoveryPauses * this.#pauseMs) return;
    this.#failedAt = undefined;
    this.#logger.info('event delivery resumed');
  }
}
