import { isDeepStrictEqual } from 'node:util';
import type { EventData } from '../../packages/server/src/features/events/event.ts';
import { guarantee } from '../harness/fault-injection.ts';
import { effectiveIn as shownIn } from './app-views.ts';
import { type Content, type ContentView, contentOf } from './content.ts';
import type { Operation } from './operations.ts';

/** What an event says of the effective content. */
export type EffectiveChange = NonNullable<EventData['app.updated']['effective']> | null;

/**
 * Throws `BrokenGuarantee` unless the effective content in every response is what a follower of the events has at a moment
 * between its request and its response, and the last response shows what all events lead to.
 */
export function checkEffectiveEvents(history: readonly Operation[], changes: readonly EffectiveChange[]): void {
  const followed = followedStates(changes);
  // Of responses that end before another begins, the other is not of an earlier state.
  const passed: { end: number; at: number }[] = [];
  const shows = history.filter(({ response }) => response.operatorApp).toSorted((one, other) => one.end - other.end);
  for (const { request, response, begin, end } of shows) {
    const earliest = passed.findLast((one) => one.end < begin)?.at ?? 0;
    const shown = response.operatorApp ? shownIn(response.operatorApp) : null;
    const at = followed.findIndex((state, index) => index >= earliest && isDeepStrictEqual(state, shown));
    guarantee(
      at >= 0,
      () =>
        `no event leads to the effective content ${JSON.stringify(shown)} in the response to ${JSON.stringify(request)}`,
    );
    passed.push({ end, at: Math.max(at, passed.at(-1)?.at ?? 0) });
  }
  const lastApp = shows.at(-1)?.response.operatorApp;
  const last = lastApp ? shownIn(lastApp) : null;
  guarantee(
    isDeepStrictEqual(followed.at(-1), last),
    () =>
      `the events lead to the effective content ${JSON.stringify(followed.at(-1))}, the app has ${JSON.stringify(last)}`,
  );
}

/** What a follower has before the first event and after each. */
function followedStates(changes: readonly EffectiveChange[]): (Content | null)[] {
  const states: (Content | null)[] = [null];
  let followed: ContentView | null = null;
  for (const change of changes) {
    followed = change && merged(followed, change);
    const state = effectiveIn(followed);
    guarantee(
      !isDeepStrictEqual(state, states.at(-1)),
      () => `an event says that the effective content changed, but nothing did: ${JSON.stringify(change)}`,
    );
    states.push(state);
  }
  return states;
}

function merged(before: ContentView | null, after: ContentView): ContentView {
  const { listingInfo, oauthInfo } = { ...before, ...after };
  return {
    ...before,
    ...after,
    listingInfo: { ...before?.listingInfo, ...listingInfo },
    oauthInfo: { ...before?.oauthInfo, ...oauthInfo },
  };
}

function effectiveIn(view: ContentView | null): Content | null {
  return view && contentOf(view);
}
