import { sleep } from './attempt.ts';
import { AppRegistryConnectionError, AppRegistryError, AppRegistryTimeoutError } from './errors.ts';
import type { WebAbortSignal } from './web-types.ts';

const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest wait that a registry may ask for: its quotas are those of a minute. */
const retryAfterMsMax = 60_000;

export interface RetryLimits {
  maxRetries: number;
  signal: WebAbortSignal | undefined;
}

/**
 * Does it until it succeeds, fails for good, or has been tried so often. Updates are repeated as reads are: their
 * `Idempotency-Key` lets a repeat find the first one done.
 */
export async function withRetries<T>({ maxRetries, signal }: RetryLimits, work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      const delayMs = retries < maxRetries && isPassing(error) ? delayBefore(error, retries) : Infinity;
      if (delayMs === Infinity) throw error;
      await sleep(delayMs, signal);
    }
  }
}

/** Whether another try may end otherwise. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof AppRegistryError)) {
    return error instanceof AppRegistryConnectionError || error instanceof AppRegistryTimeoutError;
  }
  const { statusCode, code } = error;
  // The first try of an update is still at work: a repeat gets its answer.
  return statusCode === 408 || statusCode === 429 || statusCode >= 500 || code === 'request_in_progress';
}

/** Exponential with full jitter, and never before the registry wants it. `Infinity` when it wants too long a wait. */
function delayBefore(error: unknown, retries: number): number {
  const jittered = Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
  const retryAfterMs = (error instanceof AppRegistryError && error.retryAfterMs) || 0;
  return retryAfterMs > retryAfterMsMax ? Infinity : retryAfterMs + jittered;
}
