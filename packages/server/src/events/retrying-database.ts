import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Without a failure for so many pauses it counts as back: it may read and not write, and some work fails then. */
const calmPauses = 10;

/** Asks a database that may be lost for a while, and tells the log once that it is, and once that it is back. */
export class RetryingDatabase {
  readonly #logger: Logger;
  readonly #pauseMs: number;
  readonly #ended: AbortSignal;
  /** The latest failure, by the clock of `performance`; undefined when it is not lost. */
  #failedAt: number | undefined;

  constructor({ logger, pauseMs, ended }: { logger: Logger; pauseMs: number; ended: AbortSignal }) {
    this.#logger = logger;
    this.#pauseMs = pauseMs;
    this.#ended = ended;
  }

  /** What the work answers; undefined after a pause when it fails. Never rejects. */
  async ask<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.#tellIfBack();
      return result;
    } catch (error) {
      if (this.#failedAt === undefined) {
        this.#logger.warn({ err: error }, 'events wait to be delivered: the database does not do its work');
      }
      this.#failedAt = performance.now();
      await sleep(this.#pauseMs, undefined, { signal: this.#ended }).catch(() => {});
      return undefined;
    }
  }

  #tellIfBack(): void {
    if (this.#failedAt === undefined || performance.now() - this.#failedAt < calmPauses * this.#pauseMs) return;
    this.#failedAt = undefined;
    this.#logger.info('events are delivered again');
  }
}
