import type { QueueItem, ReviewClaim } from '@appregistrar/client/operator';
import { useHolder } from '../../holder.ts';

/** Whether a reviewer other than this one looks at the app. A claim ends by itself. */
export function isClaimedByAnother(claim: ReviewClaim | undefined, holderId: string): claim is ReviewClaim {
  return isOpen(claim) && claim.actor !== holderId;
}

export function isOwnClaim(claim: ReviewClaim | undefined, holderId: string): boolean {
  return isOpen(claim) && claim.actor === holderId;
}

/** "Tomás is reviewing", or "Assigned to you"; undefined where no one has said so. */
export function reviewers({ claim }: Pick<QueueItem, 'claim'>, holderId: string): string | undefined {
  if (!isOpen(claim)) return undefined;
  return isOwnClaim(claim, holderId) ? 'Assigned to you' : `${claim.actorName ?? claim.actor} is reviewing`;
}

/** Who looks at the app, if anyone has said so. */
export function ClaimNote({ claim }: { claim: ReviewClaim | undefined }) {
  const { holderId } = useHolder();
  const text = reviewers({ ...(claim && { claim }) }, holderId);
  if (text === undefined) return null;
  return (
    <span key={text} class="reviewers" dir="auto" translate={false}>
      {text}
    </span>
  );
}

function isOpen(claim: ReviewClaim | undefined): claim is ReviewClaim {
  return claim !== undefined && Date.parse(claim.expiresAt) > Date.now();
}
