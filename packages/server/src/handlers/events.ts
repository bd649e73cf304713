import type { eventOperations } from '../contract/operations/events.ts';
import type { NewEvents } from '../registry/events/feed/new-events.ts';
import { readEventFeed } from '../registry/events/feed/read-event-feed.ts';
import { listEvents } from '../registry/events/list-events.ts';
import type { Registry } from '../registry/registry.ts';
import type { Handlers } from './handler.ts';

/** How a process waits for events. */
export interface EventWaits {
  /** Ends waits for events. */
  newEvents: NewEvents;
  /** Runs what waits, or refuses it when too much waits already. */
  admit<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The trail of changes. */
export function eventHandlers(registry: Registry, { newEvents, admit }: EventWaits): Handlers<typeof eventOperations> {
  return {
    listEvents: ({ query }) => listEvents(registry, query),
    async readEventFeed({ query, disconnected, admitAgain }) {
      if (!query.wait) return readEventFeed(registry, query, { newEvents, signal: AbortSignal.abort() });
      const page = await admit(() => readEventFeed(registry, query, { newEvents, signal: disconnected() }));
      // The token may have been revoked or expired meanwhile.
      await admitAgain();
      return page;
    },
  };
}
