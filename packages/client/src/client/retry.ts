import { sleep } from './attempt.ts';
import { AppRegistryError } from './errors.ts';
import type { Connection, RequestOptions } from './options.ts';

const defaultMaxRetries = 2;
const firstDelayMs = 500;
const delayMsMax = 8_000;
/** The longest `Retry-After` that is honoured: quotas are per minute. */
const retryAfterMsMax = 60_000;

/** Runs `work` until it succeeds, fails permanently or has used up its retries. */
export async function withRetries<T>(
  connection: Connection,
  { signal, maxRetries = connection.maxRetries ?? defaultMaxRetries, isRead }: RequestOptions & { isRead: boolean },
  work: () => Promise<T>,
): Promise<T> {
  let isUnknown = false;
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!AppRegistryError.is(error)) throw error;
      const { isRetryable, problem, retryAfterMs = 0, statusCode = 500 } = error;
      // The registry never refuses the retry of a change that took effect: the retry gets the first response.
      isUnknown &&= isRetryable || !(Number(problem?.status) > 403);
      // A 503 of the registry means that nothing was changed; a proxy cannot know.
      isUnknown ||= !isRead && statusCode >= 500 && !(statusCode === 503 && problem);
      if (isUnknown) {
        Object.assign(error, { mayHaveTakenEffect: true });
        if (!error.response) error.message += ' A change may have taken effect: read before you send it again.';
      }
      if (retries >= maxRetries || !isRetryable || retryAfterMs > retryAfterMsMax) throw error;
      // Exponential with full jitter, and at least `Retry-After`.
      const delayMs = retryAfterMs + Math.random() * Math.min(delayMsMax, firstDelayMs * 2 ** retries);
      connection.onRetry?.({ error, retry: retries + 1, delayMs });
      await (connection.sleep ?? sleep)(delayMs, signal);
    }
  }
}
