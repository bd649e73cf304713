import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { EventSummary } from './event.ts';
import { EventFeedPage, EventFeedQuery, EventPage, EventQuery, EventStreamQuery } from './event-query.ts';

/** The trail of changes. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/operator/v1/events',
    summary: 'List events, oldest or newest first',
    description:
      'Lists who changed what, when and by which request: the events that match every filter, including those of deleted objects. With `field` or `contains`, each page searches a bounded part of the content changes of all apps: follow `nextCursor` until there is none, even if a page has no items. `workspaces` adds where the apps of this page are installed, `actors` the names of its actors.',
    scope: 'read',
    query: EventQuery,
    response: EventPage,
  },
  readEventFeed: {
    method: 'GET',
    path: '/operator/v1/events/feed',
    summary: 'Read the next events (long polling)',
    description:
      'For programs that follow all changes. Continuing from `nextCursor` misses no event, and the events of one app are in the order of its changes. With `wait`, the request returns with the next event, or with none after that time.',
    scope: 'read',
    query: EventFeedQuery,
    response: EventFeedPage,
    refusals: ['cursor_expired'],
  },
  streamEvents: {
    method: 'GET',
    path: '/operator/v1/events/stream',
    summary: 'Stream events (server-sent events)',
    description:
      'For user interfaces such as the console. Each server-sent event has a JSON summary of one change as its data and its position in the feed as its id. A broken stream resumes from `Last-Event-ID` without a gap. The stream ends when the token or session ends, and when the process shuts down.',
    scope: 'read',
    query: EventStreamQuery,
    response: EventSummary,
    streams: true,
    refusals: ['cursor_expired'],
  },
} as const satisfies Record<string, OperatorOperation>;
