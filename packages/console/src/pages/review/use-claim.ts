import { AppRegistryError } from '@appregistrar/client';
import { useEffect, useRef } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { shownAppMs, useReread } from '../../live/use-reread.ts';
import { operator } from '../../operator.ts';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';
import { isClaimedByAnother, isOwnClaim, type Reviewers } from './claim-note.tsx';
import type { OpenedApp } from './use-opened-app.ts';

/** Who only looks for an app on the way to the next one is not reviewing it. */
const presentAfterMs = 5_000;
/** A presence lasts a minute. */
const renewedAfterMs = 40_000;

interface ClaimAction {
  /** What the button does; undefined where the user may not claim. */
  name: string | undefined;
  isPending: boolean;
  run: () => void;
}

interface ClaimProps {
  opened: OpenedApp | undefined;
  onReviewers: (reviewers: Reviewers) => void;
  say: (text: string) => void;
  /** Called when another reviewer was faster. */
  reload: () => void;
}

/**
 * Shows others that this reviewer looks at the app that is open, assigns it to them on request or to no one, and follows
 * who else is at it. The app of another reviewer is taken over where that is known.
 */
export function useClaim({ opened, onReviewers, say, reload }: ClaimProps): ClaimAction {
  const { holderId } = useHolder();
  const { isPending, run } = useAction();
  const canClaim = useHasScope('review');
  usePresence(canClaim ? opened?.app.id : undefined);
  useOthers(opened, onReviewers);
  if (!opened || !canClaim)
    return { name: undefined, isPending, run: () => say('Your token lacks the scope for this.') };
  const { app, claim, presence } = opened;
  const release = async () => {
    await operator.apps.release(app.id);
    onReviewers({ presence });
    say('Assigned to no one.');
  };
  const take = async (takeOver: boolean) => {
    try {
      onReviewers({ presence, claim: await operator.apps.claim(app.id, { takeOver }) });
      say('Assigned to you.');
    } catch (error) {
      say(AppRegistryError.is(error) ? error.message : String(error));
      if (AppRegistryError.is(error) && error.code === 'app_claimed') reload();
    }
  };
  const isAnothers = isClaimedByAnother(claim, holderId);
  const isOwn = isOwnClaim(claim, holderId);
  const name = isAnothers ? 'Take over' : 'Assign to me';
  return { name: isOwn ? 'Unassign' : name, isPending, run: () => void run(isOwn ? release : () => take(isAnothers)) };
}

/** Announces who looks at an app for longer than a moment, as long as the window is in view. */
function usePresence(appId: string | undefined): void {
  useEffect(() => {
    if (appId === undefined) return;
    let timer = window.setTimeout(announce, presentAfterMs);
    return () => clearTimeout(timer);

    function announce(): void {
      // Nothing depends on it: if it fails, the next one follows.
      if (!document.hidden) operator.apps.claim(appId ?? '', { kind: 'presence' }).catch(() => {});
      timer = window.setTimeout(announce, renewedAfterMs);
    }
  }, [appId]);
}

/** Shows who else is at the app while it is open. */
function useOthers(opened: OpenedApp | undefined, onReviewers: ClaimProps['onReviewers']): void {
  const latest = useRef(opened);
  latest.current = opened;
  const reread = async (id: string, before: Reviewers) => {
    const { claim, presence } = await operator.apps.get(id);
    // The user may have claimed or left the app while it was read.
    const isOutdated = latest.current?.app.id !== id || !isSame(latest.current, before);
    if (!isOutdated && !isSame({ claim, presence }, before)) onReviewers({ claim, presence });
  };
  useReread(() => opened && reread(opened.app.id, opened), shownAppMs, opened?.app.id);
}

function isSame(one: Reviewers, other: Reviewers): boolean {
  return textOf(one) === textOf(other);
}

function textOf({ claim, presence }: Reviewers): string {
  return JSON.stringify([claim, presence]);
}
