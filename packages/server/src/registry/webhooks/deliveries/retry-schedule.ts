const retryAfterMsMax = 3_600_000;

export interface FailedAttempt {
  /** How many have been made, this one among them. */
  attempts: number;
  /** How long to wait after the first, the second … attempt. There is one more attempt than waits. */
  retryMs: readonly number[];
  /** How long the receiver asks to wait. */
  retryAfterMs?: number;
}

/**
 * How long to wait before the next attempt, or null when that was the last. A tenth more or less than the
 * schedule says, so that deliveries that failed together do not come back together; longer when the receiver
 * asks for it, though never more than an hour for that.
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
