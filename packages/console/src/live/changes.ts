import type { EventSummary } from '@appregistrar/client/operator';
import { useEffect, useRef } from 'preact/hooks';
import { isChanging, isOwnRequest } from './own-requests.ts';

/** Whether an event concerns what is shown. */
export type Concern = (event: EventSummary) => boolean;

/** Undefined after a time in which anything may have changed. */
type Listener = (event: EventSummary | undefined) => void;

/** How long events are gathered, as one change of a person makes several. */
const gatherMs = 250;
/** Between two requests of a part of a page, in a registry where something happens all the time. */
const pauseMs = 3_000;

const listeners = new Set<Listener>();

/** Notifies all parts of the page of an event, unless this window made the change. */
export async function publish(event: EventSummary | undefined): Promise<void> {
  if (event) await new Promise((resolve) => setTimeout(resolve, gatherMs));
  // The event can be faster than the response.
  while (event && isChanging()) await new Promise((resolve) => setTimeout(resolve, gatherMs));
  if (isOwnRequest(event?.requestId)) return;
  for (const listener of listeners) listener(event);
}

/** Calls back soon after others have changed what is shown, and not more often than `everyMs`. */
export function useChanges(concern: Concern | undefined, onChange: () => void, everyMs: number = pauseMs): void {
  const latest = useRef({ concern, onChange });
  latest.current = { concern, onChange };
  useEffect(() => {
    let timer: number | undefined;
    let calledAt = Number.NEGATIVE_INFINITY;
    const call = () => {
      timer = undefined;
      calledAt = performance.now();
      latest.current.onChange();
    };
    const listener: Listener = (event) => {
      const { concern: concerns } = latest.current;
      if (!concerns || (event && !concerns(event))) return;
      timer ??= window.setTimeout(call, Math.max(0, calledAt + everyMs - performance.now()));
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      clearTimeout(timer);
    };
  }, [everyMs]);
}

export function anyEvent(): boolean {
  return true;
}

/** Events of these types, or of all that begin so. */
export function ofTypes(...types: string[]): Concern {
  return ({ type }) => types.some((start) => type.startsWith(start));
}

/** Events of an app and of its installations. */
export function ofApp(id: string | undefined): Concern {
  return ({ appId }) => appId === id;
}

/** Events of one object. */
export function ofSubject(id: string): Concern {
  return ({ subjectId }) => subjectId === id;
}
