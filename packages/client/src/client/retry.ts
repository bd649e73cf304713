import { sleep } from './attempt.ts';
import { AppRegistryConnectionError, AppRegistryError, AppRegistryTimeoutError } from './errors.ts';
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
}

/**
 * Runs `work` until it succeeds, fails permanently or has used up its retries. What an `Idempotency-Key` protects is
 * retried like a read.
 */
export async function withRetries<T>(
  { maxRetries, signal, isRepeatable }: RetryLimits,
  work: () => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      const isRetried = retries < maxRetries && isTransient(error) && (isRepeatable || hadNoEffect(error));
      const delayMs = isRetried ? delayBefore(error, retries) : Infinity;
      if (delayMs === Infinity) throw error;
      await sleep(delayMs, signal);
    }
  }
}

/** Whether a retry may succeed. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof AppRegistryError)) {
    return error instanceof AppRegistryConnectionError || error instanceof AppRegistryTimeoutError;
  }
  const { statusCode, code } = error;
  // The first attempt of the update is still in progress: a retry receives its response.
  return statusCode === 408 || statusCode === 429 || statusCode >= 500 || code === 'request_in_progress';
}

/** The registry refused the request before it did anything. A proxy that responds the same may not know. */
function hadNoEffect(error: unknown): boolean {
  return error instanceof AppRegistryError && error.code !== undefined && [429, 503].includes(error.statusCode);
}

/** Exponential with full jitter, and at least `Retry-After`. `Infinity` if that is too long. */
function delayBefore(error: unknown, retries: number): number {
  const jittered = Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
  const retryAfterMs = (error instanceof AppRegistryError && error.retryAfterMs) || 0;
  return retryAfterMs > retryAfterMsMax ? Infinity : retryAfterMs + jittered;
}
