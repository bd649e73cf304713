import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { eventOperations } from './event-operations.ts';
import type { EventStreams } from './feed/event-streams.ts';
import type { NewEvents } from './feed/new-events.ts';
import { readEventFeed } from './feed/read-event-feed.ts';
import { listEvents } from './list-events.ts';

/** The means by which a process waits for events. */
export interface EventSources {
  newEvents: NewEvents;
  /** A command has none: it reads the feed. */
  eventStreams?: EventStreams;
}

export interface EventWaits extends EventSources {
  /**
   * Reserves one of the places for waiting requests, or refuses if none is free. Returns a function that releases it.
   */
  takePlace: () => () => void;
}

/** The trail of changes. */
export function eventHandlers(
  registry: Registry,
  { newEvents, eventStreams, takePlace }: EventWaits,
): Handlers<typeof eventOperations> {
  return {
    listEvents: ({ query }) => listEvents(registry, query),
    async readEventFeed({ query, disconnected, admitAgain }) {
      if (!query.wait) return readEventFeed(registry, query, { newEvents, signal: AbortSignal.abort() });
      const release = takePlace();
      try {
        const page = await readEventFeed(registry, query, { newEvents, signal: disconnected() });
        // The token may have been revoked or expired meanwhile.
        await admitAgain();
        return page;
      } finally {
        release();
      }
    },
    async streamEvents({ query, lastEventId, disconnected, admitAgain }) {
      if (!eventStreams) throw new Error('only a server streams events');
      const release = takePlace();
      const signal = disconnected();
      if (signal.aborted) release();
      else signal.addEventListener('abort', release);
      const first = await eventStreams.begin({ ...query, ...(lastEventId !== undefined && { after: lastEventId }) });
      return eventStreams.follow(first, { signal, admitAgain });
    },
  };
}
