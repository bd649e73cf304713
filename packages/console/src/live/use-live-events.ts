import { AppRegistryError } from '@appregistrar/client';
import { useEffect } from 'preact/hooks';
import { operator } from '../operator.ts';
import { publish } from './changes.ts';
import { registryTime } from './own-requests.ts';

/** A stream that was open for this long was not refused. */
const openMsMin = 5_000;
const retryMs = { min: 1_000, max: 30_000 };
/** After a longer time everything is read again, which is less than all events of that time. */
const resumeMsMax = 60_000;
/** People who switch between windows need nothing newer than this. */
const focusPauseMs = 10_000;

/** Follows the events of the registry while the window is in view: one stream for all parts of all pages. */
export function useLiveEvents(isSignedIn: boolean): void {
  useEffect(() => {
    if (!isSignedIn) return;
    let following = new AbortController();
    let refreshedAt = performance.now();
    const begin = () => {
      following.abort();
      following = new AbortController();
      if (!document.hidden) void follow(following.signal);
    };
    const refresh = () => {
      refreshedAt = performance.now();
      void publish(undefined);
    };
    const onFocus = () => {
      if (performance.now() - refreshedAt > focusPauseMs) refresh();
    };
    const onVisibility = () => {
      begin();
      // No events were received in between.
      if (!document.hidden) refresh();
    };
    begin();
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('focus', onFocus);
    return () => {
      following.abort();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('focus', onFocus);
    };
  }, [isSignedIn]);
}

/** Publishes events from now on until the signal. A lost stream resumes where it stopped, after a growing pause. */
async function follow(signal: AbortSignal): Promise<void> {
  let from: { cursor: string } | { since: string } = { since: registryTime() };
  let lostAt: number | undefined;
  for (let failures = 0; !signal.aborted; ) {
    const openedAt = performance.now();
    try {
      for await (const { event, cursor } of operator.events.stream(from, { signal })) {
        from = { cursor };
        void publish(event);
      }
    } catch (error) {
      if (!AppRegistryError.is(error)) return;
      if (error.code === 'cursor_expired') lostAt = Number.NEGATIVE_INFINITY;
      else if (!error.isRetryable) return;
    }
    const endedAt = performance.now();
    const wasOpen = endedAt - openedAt > openMsMin;
    failures = wasOpen ? 1 : failures + 1;
    lostAt = wasOpen ? endedAt : (lostAt ?? endedAt);
    await pause(Math.min(retryMs.max, retryMs.min * 2 ** (failures - 1)) * (0.5 + Math.random() / 2), signal);
    if (performance.now() - lostAt < resumeMsMax) continue;
    [from, lostAt] = [{ since: registryTime() }, undefined];
    if (!signal.aborted) void publish(undefined);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
