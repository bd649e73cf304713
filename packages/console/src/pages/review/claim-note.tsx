import type { ReviewClaim } from '@appregistrar/client/operator';
import { useHolder } from '../../holder.ts';

/** Whom an app is assigned to, and who looks at it. Both end by themselves. */
export interface Reviewers {
  claim?: ReviewClaim | undefined;
  presence?: readonly ReviewClaim[] | undefined;
}

/** Whether the app is assigned to a reviewer other than this one. */
export function isClaimedByAnother(claim: ReviewClaim | undefined, holderId: string): claim is ReviewClaim {
  return isOpen(claim) && claim.actor !== holderId;
}

export function isOwnClaim(claim: ReviewClaim | undefined, holderId: string): boolean {
  return isOpen(claim) && claim.actor === holderId;
}

/** "Tomás is reviewing", "Assigned to you"; empty where no one is at the app. */
export function reviewersInWords({ claim, presence = [] }: Reviewers, holderId: string): string {
  // One person may have several tokens.
  const present = presence.filter((one) => isOpen(one) && one.actor !== holderId);
  const others = [...new Set(present.map(nameOf))];
  const isAssigned = isOpen(claim) && !others.includes(nameOf(claim));
  const assigned = isAssigned ? [`Assigned to ${isOwnClaim(claim, holderId) ? 'you' : nameOf(claim)}`] : [];
  const reviewing = others.length > 0 ? [`${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} reviewing`] : [];
  return [...reviewing, ...assigned].join(' · ');
}

/** Who is at the app, if anyone is. */
export function ClaimNote(reviewers: Reviewers) {
  const { holderId } = useHolder();
  const text = reviewersInWords(reviewers, holderId);
  if (text === '') return null;
  return (
    <span key={text} class="reviewers" dir="auto" translate={false}>
      {text}
    </span>
  );
}

function nameOf({ actor, actorName }: ReviewClaim): string {
  return actorName ?? actor;
}

function isOpen(claim: ReviewClaim | undefined): claim is ReviewClaim {
  return claim !== undefined && Date.parse(claim.expiresAt) > Date.now();
}
