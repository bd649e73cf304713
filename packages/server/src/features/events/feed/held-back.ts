import type { Registry } from '../../../kernel/registry.ts';
import { findHeldBackEvent } from './event-feed-queries.ts';

/** How long the first event that an unfinished transaction holds back has waited, in milliseconds; 0 if none does. */
export async function heldBackMs({ storage, now }: Registry): Promise<number> {
  const first = await findHeldBackEvent(storage);
  return first ? Math.max(0, now() - first.occurred_at) : 0;
}
