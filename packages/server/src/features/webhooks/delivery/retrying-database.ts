import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Number of pauses without a failure before it counts as recovered: it may be readable but not writable. */
const recoveryPauses = 10;

interface RetryingDatabaseOptions {
  logger: Logger;
  /** After each failure. */
  pauseMs: number;
  /** Ends a pause. */
  ended: AbortSignal;
  /** Never goes back. */
  elapsedMs?: () => number;
}

/** Runs work on a database that may be unavailable for a while. Logs once when it fails and once when it recovers. */
export class RetryingDatabase {
  readonly #logger: Logger;
  readonly #pauseMs: number;
  readonly #ended: AbortSignal;
  readonly #elapsedMs: () => number;
  /** Time of the latest failure; undefined while the database works. */
  #failedAt: number | undefined;

  constructor({ logger, pauseMs, ended, elapsedMs = () => performance.now() }: RetryingDatabaseOptions) {
    this.#logger = logger;
    this.#pauseMs = pauseMs;
    this.#ended = ended;
    this.#elapsedMs = elapsedMs;
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
      this.#failedAt = this.#elapsedMs();
      await sleep(this.#pauseMs, undefined, { signal: this.#ended }).catch(() => {});
      return undefined;
    }
  }

  #reportRecovery(): void {
    if (this.#failedAt === undefined || this.#elapsedMs() - this.#failedAt < recoveryPauses * this.#pauseMs) return;
    this.#failedAt = undefined;
    this.#logger.info('event delivery resumed');
  }
}
