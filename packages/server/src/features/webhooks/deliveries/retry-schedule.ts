const retryAfterMsMax = 3_600_000;
const spread = 0.1;

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  attempts: number;
  /** The pauses after the first, second and further attempts. There is one more attempt than pauses. */
  retryMs: readonly number[];
  /** The pause that the receiver requests. */
  retryAfterMs?: number;
}

/** No pause is longer. */
export function retryDelayMsMax(retryMs: readonly number[]): number {
  return Math.max(retryAfterMsMax, ...retryMs.map((planned) => planned * (1 + spread)));
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
  const spreadMs = planned * (1 + spread * (2 * random() - 1));
  return Math.round(Math.max(spreadMs, Math.min(retryAfterMs, retryAfterMsMax)));
}
