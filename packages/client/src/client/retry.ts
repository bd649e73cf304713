import { sleep } from './attempt.ts';
import { AppRegistryError } from './errors.ts';
import type { Retry } from './options.ts';
import type { WebAbortSignal } from './web-types.ts';

const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest `Retry-After` that is honoured: quotas are per minute. */
const retryAfterMsMax = 60_000;

export interface RetryLimits {
  maxRetries: number;
  signal: WebAbortSignal | undefined;
  /** Whether the work may be repeated when its outcome is unknown. */
  isRepeatable: boolean;
  onRetry: ((retry: Retry) => void) | undefined;
}

/**
 * Runs `work` until it succeeds, fails permanently or has used up its retries. What an `Idempotency-Key` protects is
 * retried like a read.
 */
export async function withRetries<T>(
  { maxRetries, signal, isRepeatable, onRetry }: RetryLimits,
  work: () => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (retries >= maxRetries || !isRetried(error, isRepeatable)) throw error;
      const delayMs = delayBefore(error, retries);
      if (delayMs === Infinity) throw error;
      onRetry?.({ error, retry: retries + 1, delayMs });
      await sleep(delayMs, signal);
    }
  }
}

/** A change that is not recognised when it is repeated is not repeated unless it certainly had no effect. */
function isRetried(error: unknown, isRepeatable: boolean): error is AppRegistryError {
  return AppRegistryError.is(error) && error.isRetryable && (isRepeatable || !error.mayHaveTakenEffect);
}

/** Exponential with full jitter, and at least `Retry-After`. `Infinity` if that is too long. */
function delayBefore({ retryAfterMs = 0 }: AppRegistryError, retries: number): number {
  const jittered = Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
  return retryAfterMs > retryAfterMsMax ? Infinity : retryAfterMs + jittered;
}
