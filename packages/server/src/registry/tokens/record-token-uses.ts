import { updateLastUsedAt } from '../../storage/queries/access-tokens.ts';
import type { Registry } from '../registry.ts';

/**
 * Notes in which hour each of these tokens was used last, given by their ids as the beginning of that hour. A later
 * hour that is noted already stays. Ids that no token has are passed over.
 */
export async function recordTokenUses({ storage }: Registry, hours: ReadonlyMap<string, number>): Promise<void> {
  if (hours.size === 0) return;
  const byHour = Map.groupBy(hours, ([, hour]) => hour);
  await storage.write(async (transaction) => {
    for (const [hour, uses] of byHour) {
      await updateLastUsedAt(transaction, { ids: uses.map(([id]) => id), hour });
    }
  });
}
