import { sleep } from './attempt.ts';
import { AppRegistryError } from './errors.ts';
import type { Connection } from './options.ts';
import type { Call } from './request.ts';

const defaultMaxRetries = 2;
const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest `Retry-After` that is honoured: quotas are per minute. */
const retryAfterMsMax = 60_000;

/**
 * Runs `work` until it succeeds, fails permanently or has used up its retries. What an `Idempotency-Key` protects is
 * retried like a read.
 */
export async function withRetries<T>(
  connection: Connection,
  { isRepeatable = true, options }: Call,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, maxRetries = connection.maxRetries ?? defaultMaxRetries } = options;
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (retries >= maxRetries || !isRetried(error, isRepeatable)) throw error;
      const delayMs = delayBefore(error, retries);
      connection.onRetry?.({ error, retry: retries + 1, delayMs });
      await sleep(delayMs, signal);
    }
  }
}

/** A change that is not recognised when it is repeated is not repeated unless it certainly had no effect. */
function isRetried(error: unknown, isRepeatable: boolean): error is AppRegistryError {
  if (!AppRegistryError.is(error) || (error.retryAfterMs ?? 0) > retryAfterMsMax) return false;
  return error.isRetryable && (isRepeatable || !error.mayHaveTakenEffect);
}

/** Exponential with full jitter, and at least `Retry-After`. */
function delayBefore({ retryAfterMs = 0 }: AppRegistryError, retries: number): number {
  return retryAfterMs + Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
}
