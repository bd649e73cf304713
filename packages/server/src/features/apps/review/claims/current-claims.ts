import { dateTime } from '../../../../kernel/date-time.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import type { ReviewClaimRow } from '../../../../storage/tables.ts';
import { namesOfActors } from '../../../access/actor-names.ts';
import { optional } from '../../app-view.ts';
import { listClaims } from './claim-queries.ts';
import { claimMs, type ReviewClaim } from './review-claim.ts';

/** How far the clocks of two machines may differ. */
const clockDifferenceMsMax = 60_000;

/** The claims of these apps that have not expired, by the ids of the apps. */
export async function currentClaims(registry: Registry, appIds: string[]): Promise<Map<string, ReviewClaim>> {
  const stored = await listClaims(registry.storage.reader, appIds);
  const rows = stored.filter((row) => isCurrent(registry, row));
  const names = await namesOfActors(
    registry,
    rows.map(({ actor }) => actor),
  );
  return new Map(rows.map((row) => [row.app_id, claimView(row, names.get(row.actor))]));
}

/**
 * Whether a claim has not expired. One that would last longer than a new claim was made by a clock that was ahead, and
 * is not current.
 */
export function isCurrent({ now }: Registry, { expires_at: expiresAt }: ReviewClaimRow): boolean {
  const leftMs = expiresAt - now();
  return leftMs > 0 && leftMs <= claimMs + clockDifferenceMsMax;
}

export function claimView({ actor, claimed_at, expires_at }: ReviewClaimRow, actorName?: string): ReviewClaim {
  return {
    actor,
    ...optional({ actorName: actorName ?? null }),
    claimedAt: dateTime(claimed_at),
    expiresAt: dateTime(expires_at),
  };
}
