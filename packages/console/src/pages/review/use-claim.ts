import { AppRegistryError } from '@appregistrar/client';
import type { ReviewClaim } from '@appregistrar/client/operator';
import { useRef } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { shownAppMs, useReread } from '../../live/use-reread.ts';
import { operator } from '../../operator.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { isClaimedByAnother, isOwnClaim } from './claim-note.tsx';
import type { OpenedApp } from './use-opened-app.ts';

interface ClaimAction {
  /** What the button does; undefined where the user may not claim. */
  name: string | undefined;
  isPending: boolean;
  run: () => void;
}

interface ClaimProps {
  opened: OpenedApp | undefined;
  onClaim: (claim: ReviewClaim | undefined) => void;
  say: (text: string) => void;
  /** Called when another reviewer was faster. */
  reload: () => void;
}

/**
 * Claims the app that is open, or releases it, and follows what others do. The claim of another reviewer is taken over where
 * it is known.
 */
export function useClaim({ opened, onClaim, say, reload }: ClaimProps): ClaimAction {
  const { holderId } = useHolder();
  const { isPending, run } = useAction();
  useClaimOfOthers(opened, onClaim);
  const canClaim = useHasScope('review');
  if (!opened || !canClaim)
    return { name: undefined, isPending, run: () => say('Your token lacks the scope for this.') };
  const { app, claim } = opened;
  const release = async () => {
    await operator.apps.release(app.id);
    onClaim(undefined);
    say('Claim released.');
  };
  const take = async (takeOver: boolean) => {
    try {
      onClaim(await operator.apps.claim(app.id, { takeOver }));
      say('Claimed for 15 minutes: other reviewers see that you are reviewing this app.');
    } catch (error) {
      say(AppRegistryError.is(error) ? error.message : String(error));
      if (AppRegistryError.is(error) && error.code === 'app_claimed') reload();
    }
  };
  const isAnothers = isClaimedByAnother(claim, holderId);
  const isOwn = isOwnClaim(claim, holderId);
  const name = isAnothers ? 'Take over' : 'Claim';
  return { name: isOwn ? 'Release' : name, isPending, run: () => void run(isOwn ? release : () => take(isAnothers)) };
}

/** Shows the claim, or its end, of another reviewer while the app is open. */
function useClaimOfOthers(opened: OpenedApp | undefined, onClaim: ClaimProps['onClaim']): void {
  const latest = useRef(opened);
  latest.current = opened;
  const reread = async (id: string, before: ReviewClaim | undefined) => {
    const { claim } = await operator.apps.get(id);
    // The user may have claimed or left the app while it was read.
    const isOutdated = latest.current?.app.id !== id || !isSame(latest.current.claim, before);
    if (!isOutdated && !isSame(claim, before)) onClaim(claim);
  };
  useReread(() => opened && reread(opened.app.id, opened.claim), shownAppMs, opened?.app.id);
}

function isSame(one: ReviewClaim | undefined, other: ReviewClaim | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
