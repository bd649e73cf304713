import type { Registry } from '../../../kernel/registry.ts';
import { countPending as countStored, listOldestPending } from './pending-delivery-queries.ts';

/** Per webhook. Counting stops here, so that a measurement costs the same for any number. */
export const countedMax = 10_000;

/** The number of pending deliveries of all enabled webhooks. */
export async function countPending({ storage }: Registry): Promise<number> {
  const counts = await countStored(storage.reader, { max: countedMax });
  return counts.reduce((sum, { pending }) => sum + pending, 0);
}

/**
 * The age of the oldest pending delivery; 0 when there is none. For one that was queued while a clock was ahead, this
 * is the time until then: its age is unknown, and must not show as 0.
 */
export async function oldestPendingMs({ storage, now }: Registry): Promise<number> {
  const oldest = await listOldestPending(storage.reader, {});
  // Afterwards, so that none of them is from the future because it was queued meanwhile.
  const at = now();
  return Math.max(0, ...oldest.flatMap(({ first, last }) => [at - (first ?? at), (last ?? at) - at]));
}
