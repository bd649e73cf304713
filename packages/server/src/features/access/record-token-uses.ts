import type { Registry } from '../../kernel/registry.ts';
import { updateLastUsedAt } from './access-token-queries.ts';

/**
 * Records the hour of last use of these tokens, given as its start by token id. A later recorded hour stays, unless
 * it is in the future: a clock that was ahead has recorded it. Unknown ids are ignored.
 */
export async function recordTokenUses({ storage, now }: Registry, hours: ReadonlyMap<string, number>): Promise<void> {
  if (hours.size === 0) return;
  const byHour = Map.groupBy(hours, ([, hour]) => hour);
  await storage.write(async (transaction) => {
    for (const [hour, uses] of byHour) {
      await updateLastUsedAt(transaction, { ids: uses.map(([id]) => id), hour, now: now() });
    }
  });
}
