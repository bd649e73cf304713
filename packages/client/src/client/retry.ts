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
  onRetry: ((retry: Retry) => void) | undefined;
}

/** Runs `work` until it succeeds, fails permanently or has used up its retries. */
export async function withRetries<T>({ maxRetries, signal, onRetry }: RetryLimits, work: () => Promise<T>): Promise<T> {
  let isUnknown = false;
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!AppRegistryError.is(error)) throw error;
      // The rules of the registry refuse no repeat of what has taken effect: it gets the first response.
      if (isUnknown && (error.isRetryable || !(Number(error.problem?.status) > 403))) {
        Object.defineProperty(error, 'mayHaveTakenEffect', { value: true });
      }
      isUnknown = error.mayHaveTakenEffect;
      const delayMs = delayBefore(error, retries);
      if (retries >= maxRetries || !error.isRetryable || delayMs === Infinity) throw error;
      onRetry?.({ error, retry: retries + 1, delayMs });
      await sleep(delayMs, signal);
    }
  }
}

/** Exponential with full jitter, and at least `Retry-After`. `Infinity` if that is too long. */
function delayBefore({ retryAfterMs = 0 }: AppRegistryError, retries: number): number {
  const jittered = Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
  return retryAfterMs > retryAfterMsMax ? Infinity : retryAfterMs + jittered;
}
