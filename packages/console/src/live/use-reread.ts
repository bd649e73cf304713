import { useEffect, useRef } from 'preact/hooks';
import { isFinal } from '../shown-error.ts';

/** How often what reviewers share about the app on screen is read. It has no events, as those may reach developers. */
export const shownAppMs = 5_000;

/**
 * Calls back every `ms` while the window is in view, for what others change without an event. The time begins anew with
 * each new `since`. No call is made while one is pending, nor after a refusal.
 */
export function useReread(reread: () => unknown, ms: number | undefined, since: unknown): void {
  const latest = useRef(reread);
  latest.current = reread;
  useEffect(() => {
    if (ms === undefined) return;
    let timer = window.setTimeout(call, ms);
    let hasEnded = false;
    return () => {
      hasEnded = true;
      clearTimeout(timer);
    };

    async function call(): Promise<void> {
      try {
        if (!document.hidden) await latest.current();
      } catch (error) {
        // The user did not start this: what they do next shows the failure.
        if (isFinal(error)) return;
      }
      if (!hasEnded) timer = window.setTimeout(call, ms);
    }
  }, [ms, since]);
}
