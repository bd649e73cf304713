import { countPending as countStored, listOldestPending } from '../../../storage/queries/pending-deliveries.ts';
import type { Registry } from '../../registry.ts';

/** Of one webhook. More are not counted: a measure costs the same however many there are. */
export const countedMax = 10_000;

/** How many deliveries the enabled webhooks have still to get. */
export async function countPending({ storage }: Registry): Promise<number> {
  const counts = await countStored(storage.reader, { max: countedMax });
  return counts.reduce((sum, { pending }) => sum + pending, 0);
}

/** How long the oldest of them has waited; 0 when there is none. */
export async function oldestPendingMs({ storage, now }: Registry): Promise<number> {
  const at = now();
  const oldest = await listOldestPending(storage.reader, {});
  return Math.max(0, ...oldest.map(({ since }) => at - (since ?? at)));
}
