import { AppRegistryError } from '@appregistrar/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { operator } from '../../operator.ts';
import { sendDecision } from './steps.ts';
import { type FailedDecision, type UnsentDecision, UnsentDecisions } from './unsent-decisions.ts';

/** Those of this window. They outlast the page of the review, so that leaving it loses none. */
const unsent = new UnsentDecisions({
  send: sendDecision,
  storage: localStorage,
  timers: { setTimeout: (run, ms) => window.setTimeout(run, ms), clearTimeout: (timer) => window.clearTimeout(timer) },
  now: () => Date.now(),
});
window.addEventListener('pagehide', () => void unsent.sendNow());

/** Before the session ends, which they need. */
export function sendUnsent(): Promise<void> {
  return unsent.sendNow();
}

/**
 * The decisions that wait, are on their way, or have failed. Leaving the review sends those that wait. `onFailure` is called
 * with each that could not be sent.
 */
export function useUnsent(onFailure: (failed: FailedDecision) => void): UnsentDecisions {
  const holder = useHolder();
  const [, redraw] = useState(0);
  const latest = useRef(onFailure);
  latest.current = onFailure;
  useEffect(() => {
    const known = new Set<FailedDecision>();
    const follow = () => {
      redraw((before) => before + 1);
      for (const failed of unsent.failed.filter((one) => !known.has(one))) {
        known.add(failed);
        latest.current(failed);
      }
    };
    follow();
    const unsubscribe = unsent.subscribe(follow);
    void unsent.recover(holder, (decision) => isStillToDecide(decision, holder.holderId));
    return () => {
      unsubscribe();
      void unsent.sendNow();
    };
  }, [holder.holderId]);
  return unsent;
}

/** Whether a decision has not arrived. What cannot be found out now counts as not arrived: its key makes that safe. */
async function isStillToDecide(decision: UnsentDecision, holderId: string): Promise<boolean> {
  const { appId, etag, madeAt, writer } = decision;
  try {
    const { items } = await operator.apps.listDecisions(appId, { limit: 20 }).page();
    // The same person may have signed in with a new token since.
    const own = items.filter(({ actor, actorName }) => actor === holderId || actorName === writer);
    return !own.some((one) => one.etag === etag && isSince(one.decidedAt, madeAt));
  } catch (error) {
    return !(AppRegistryError.is(error) && error.code === 'app_not_found');
  }
}

/** The clocks of the registry and of this browser may differ. */
function isSince(time: string, madeAt: number): boolean {
  return Date.parse(time) > madeAt - 3_600_000;
}
