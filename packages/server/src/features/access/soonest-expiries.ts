import type { Registry } from '../../kernel/registry.ts';
import { findSoonestExpiry } from './access-token-queries.ts';

const dayMs = 86_400_000;
/** A token used within this time counts as in use. */
const usedWithinMs = 7 * dayMs;
/** Tokens issued for less are meant to expire. */
const lifetimeMsMin = 14 * dayMs;
const newest = 1_000;

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
