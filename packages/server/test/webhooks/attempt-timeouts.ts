import type { TestContext } from 'node:test';

/** The time that an attempt may take, unless a test sets it. */
export const timeoutMs = 10_000;

/** Until the end of the test, attempts time out only when it calls what this returns. */
export function stopTimeouts({ mock: { timers } }: TestContext): () => void {
  // Its types do not know it yet.
  timers.enable({ apis: ['AbortSignal.timeout' as 'setTimeout'] });
  return () => timers.tick(timeoutMs);
}
