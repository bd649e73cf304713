const retryAfterMsMax = 3_600_000;

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  attempts: number;
  /** The pauses after the first, second and further attempts. There is one more attempt than pauses. */
  retryMs: readonly number[];
  /** The pause that the receiver requests. */
  retryAfterMs?: number;
}

/**
 * The pause before the next attempt, or null after the last. It varies by up to a tenth, so that deliveries that failed
 * together are not retried together, and is longer if the receiver requests it, but for that reason at most an hour.
 */
export function retryDelayMs(
  { attempts, retryMs, retryAfterMs = 0 }: FailedAttempt,
  random: () => number = Math.random,
): number | null {
  const planned = retryMs[attempts - 1];
  if (planned === undefined) return null;
  const spread = planned * (0.9 + 0.2 * random());
  return Math.round(Math.max(spread, Math.min(retryAfterMs, retryAfterMsMax)));
}
