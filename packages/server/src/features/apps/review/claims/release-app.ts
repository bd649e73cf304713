import { writeIdempotently } from '../../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import { lockApp } from '../../store-app.ts';
import { deleteClaim, findClaim } from './claim-queries.ts';
import { ClaimedByAnother, orAppClaimed } from './claimed-by-another.ts';
import { isCurrent } from './current-claims.ts';
import type { EndedClaim } from './review-claim.ts';

/** Ends the caller's claim on an app, if there is one. Refuses with `app_not_found` or `app_claimed`. */
export async function releaseApp(registry: Registry, caller: Caller, appId: string): Promise<EndedClaim> {
  try {
    return await writeIdempotently(registry, caller, {
      content: ['releaseApp', appId],
      work: async (transaction) => {
        await lockApp(transaction, appId);
        const claim = await findClaim(transaction, { appId });
        if (!claim || !isCurrent(registry, claim)) return { appId, wasClaimed: false };
        if (claim.actor !== caller.actor) throw new ClaimedByAnother(claim);
        await deleteClaim(transaction, { appId });
        return { appId, wasClaimed: true };
      },
    });
  } catch (error) {
    throw await orAppClaimed(registry, error);
  }
}
