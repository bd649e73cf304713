import type { eventOperations } from '../../contract/operations/events.ts';
import type { NewEvents } from '../../registry/events/feed/new-events.ts';
import { readEventFeed } from '../../registry/events/feed/read-event-feed.ts';
import { listEvents } from '../../registry/events/list-events.ts';
import type { Registry } from '../../registry/registry.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { Handlers } from './operation-route.ts';

/** Fewer than half of the connections that the operator listener is sure to have. */
export const waitingMax = 50;
const retryAfterSeconds = 5;

/** The trail of changes. */
export function eventHandlers(registry: Registry, newEvents: NewEvents): Handlers<typeof eventOperations> {
  let waiting = 0;
  return {
    listEvents: ({ query }) => listEvents(registry, query),
    async readEventFeed({ query, disconnected, admitAgain }) {
      if (!query.wait) return readEventFeed(registry, query, { newEvents, signal: AbortSignal.abort() });
      if (waiting >= waitingMax) throw tooMany();
      waiting += 1;
      try {
        const page = await readEventFeed(registry, query, { newEvents, signal: disconnected() });
        // The token may have been revoked or expired meanwhile.
        await admitAgain();
        return page;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function tooMany(): HttpProblem {
  return new HttpProblem(
    'unavailable',
    'As many requests wait for events as this process allows at one time. Retry in a moment, or leave out "wait".',
    { 'retry-after': String(retryAfterSeconds) },
  );
}
