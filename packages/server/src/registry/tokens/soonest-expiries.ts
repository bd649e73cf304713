import { findSoonestExpiry } from '../../storage/queries/access-tokens.ts';
import type { Registry } from '../registry.ts';

const dayMs = 86_400_000;
/** Who has used a token in this time would miss it. */
const usedWithinMs = 7 * dayMs;
/** A token that was issued for less is meant to end. */
const lifeMsMin = 14 * dayMs;
const newest = 1_000;

/**
 * When, in milliseconds since 1970, the first token of a kind expires that is in use: not revoked, used within a week,
 * and issued for two weeks or more. Of each kind the newest 1,000 are looked at; a kind without such a token is left
 * out. Tokens of developers are theirs to replace: of many, one always expires soon.
 */
export async function soonestExpiries({ storage, now }: Registry): Promise<Record<string, number>> {
  const at = now();
  const soonest: Record<string, number> = {};
  for (const kind of ['platform', 'operator'] as const) {
    const row = await findSoonestExpiry(storage.reader, {
      kind,
      now: at,
      usedSince: at - usedWithinMs,
      lifeMsMin,
      newest,
    });
    if (row?.expires_at) soonest[kind] = row.expires_at;
  }
  return soonest;
}
