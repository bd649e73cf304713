import type { ReviewClaim } from '@appregistrar/client/operator';
import { useHolder } from '../../holder.ts';
import { DateTime } from '../../parts/date-time.tsx';

/** Whether a reviewer other than this one looks at the app. A claim ends by itself. */
export function isClaimedByAnother(claim: ReviewClaim | undefined, holderId: string): claim is ReviewClaim {
  return isOpen(claim) && claim.actor !== holderId;
}

export function isOwnClaim(claim: ReviewClaim | undefined, holderId: string): boolean {
  return isOpen(claim) && claim.actor === holderId;
}

/** Who looks at the app, if anyone has said so. */
export function ClaimNote({ claim }: { claim: ReviewClaim | undefined }) {
  const { holderId } = useHolder();
  if (!isOpen(claim)) return null;
  if (isOwnClaim(claim, holderId)) return <span class="badge">Claimed by you</span>;
  return (
    <span class="badge changed">
      Claimed by <bdi>{claim.actorName ?? claim.actor}</bdi> <DateTime at={claim.claimedAt} />
    </span>
  );
}

function isOpen(claim: ReviewClaim | undefined): claim is ReviewClaim {
  return claim !== undefined && Date.parse(claim.expiresAt) > Date.now();
}
