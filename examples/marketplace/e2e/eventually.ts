import { setTimeout } from 'node:timers/promises';

/** Waits until a check of another process holds. The time limit is that of the test. */
export async function eventually(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await setTimeout(50);
}
