import { requireValid } from '../../../../kernel/failure.ts';
import { writeIdempotently } from '../../../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import type { Connection } from '../../../../storage/query.ts';
import type { ReviewClaimRow } from '../../../../storage/tables.ts';
import { namesOfActors } from '../../../access/actor-names.ts';
import { lockApp } from '../../store-app.ts';
import { deleteClaim, findClaim, insertClaim } from './claim-queries.ts';
import { ClaimedByAnother, orAppClaimed } from './claimed-by-another.ts';
import { claimView, isCurrent } from './current-claims.ts';
import { claimMs, NewClaim, type ReviewClaim } from './review-claim.ts';

interface ClaimInput {
  appId: string;
  claim: unknown;
}

/**
 * Shows other reviewers for 15 minutes who is reviewing an app; the same caller can renew the claim. Any decision, a
 * withdrawal or a deletion ends it. Refuses with `invalid_content`, `app_not_found` or, unless it is taken over,
 * `app_claimed`.
 */
export async function claimApp(
  registry: Registry,
  caller: Caller,
  { appId, claim: input }: ClaimInput,
): Promise<ReviewClaim> {
  const { takeOver = false } = requireValid(NewClaim, input);
  const { actor } = caller;
  try {
    const row = await writeIdempotently(registry, caller, {
      content: ['claimApp', appId, takeOver],
      work: (transaction) => storeClaim(registry, transaction, { appId, actor, takeOver }),
    });
    return claimView(row, (await namesOfActors(registry, [actor])).get(actor));
  } catch (error) {
    throw await orAppClaimed(registry, error);
  }
}

async function storeClaim(
  registry: Registry,
  transaction: Connection,
  { appId, actor, takeOver }: { appId: string; actor: string; takeOver: boolean },
): Promise<ReviewClaimRow> {
  // Of two reviewers at once, the second one finds the claim of the first.
  await lockApp(transaction, appId);
  const found = await findClaim(transaction, { appId });
  const current = found && isCurrent(registry, found) ? found : null;
  if (current && current.actor !== actor && !takeOver) throw new ClaimedByAnother(current);
  const at = registry.now();
  const claimedAt = current?.actor === actor ? current.claimed_at : at;
  const row = { app_id: appId, actor, claimed_at: claimedAt, expires_at: at + claimMs };
  await deleteClaim(transaction, { appId });
  await insertClaim(transaction, row);
  return row;
}
