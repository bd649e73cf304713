import type { eventOperations } from '../../contract/operations/events.ts';
import type { EventStreams } from '../../registry/events/feed/event-streams.ts';
import type { NewEvents } from '../../registry/events/feed/new-events.ts';
import { readEventFeed } from '../../registry/events/feed/read-event-feed.ts';
import { listEvents } from '../../registry/events/list-events.ts';
import type { Registry } from '../../registry/registry.ts';
import { HttpProblem } from '../problem/problem.ts';
import type { Handlers } from './operation-route.ts';

/** Waits and streams together: fewer than half of the connections that the operator listener is sure to have. */
export const waitingMax = 50;
const retryAfterSeconds = 5;

export interface EventSources {
  newEvents: NewEvents;
  eventStreams: EventStreams;
}

/** The trail of changes. */
export function eventHandlers(
  registry: Registry,
  { newEvents, eventStreams }: EventSources,
): Handlers<typeof eventOperations> {
  let waiting = 0;
  const enter = (detail: string) => {
    if (waiting >= waitingMax) throw tooMany(detail);
    waiting += 1;
  };
  const leave = () => {
    waiting -= 1;
  };
  return {
    listEvents: ({ query }) => listEvents(registry, query),
    async readEventFeed({ query, disconnected, admitAgain }) {
      if (!query.wait) return readEventFeed(registry, query, { newEvents, signal: AbortSignal.abort() });
      enter(
        'As many requests wait for events as this process allows at one time. Retry in a moment, or leave out "wait".',
      );
      try {
        const page = await readEventFeed(registry, query, { newEvents, signal: disconnected() });
        // The token may have been revoked or expired meanwhile.
        await admitAgain();
        return page;
      } finally {
        leave();
      }
    },
    async streamEvents({ query, lastEventId, disconnected, admitAgain }) {
      enter('As many requests wait for events as this process allows at one time. Retry in a moment.');
      const signal = disconnected();
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave);
      const first = await eventStreams.begin({ ...query, ...(lastEventId !== undefined && { after: lastEventId }) });
      return eventStreams.follow(first, { signal, admitAgain });
    },
  };
}

function tooMany(detail: string): HttpProblem {
  return new HttpProblem('unavailable', detail, { 'retry-after': String(retryAfterSeconds) });
}
