import type { Registry } from '../../kernel/registry.ts';
import { findSoonestExpiry, updateLastUsedAt } from './access-queries.ts';

const dayMs = 86_400_000;
/** A token used within this time counts as in use. */
const usedWithinMs = 7 * dayMs;
/** Tokens issued for less are meant to expire. */
const lifetimeMsMin = 14 * dayMs;
const newest = 1_000;

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

/**
 * For each kind, the earliest expiry of its tokens in use, in milliseconds since 1970. A token is in use when it is not
 * revoked, was used within a week, and was issued for at least two weeks. Considers the newest 1,000 tokens of a kind,
 * and omits a kind without such a token. Developers replace their own tokens: among many, one always expires soon.
 */
export async function soonestExpiries({ storage, now }: Registry): Promise<Record<string, number>> {
  const at = now();
  const soonest: Record<string, number> = {};
  for (const kind of ['platform', 'operator'] as const) {
    const row = await findSoonestExpiry(storage.reader, {
      kind,
      now: at,
      usedSince: at - usedWithinMs,
      lifetimeMsMin,
      newest,
    });
    if (row?.expires_at) soonest[kind] = row.expires_at;
  }
  return soonest;
}
