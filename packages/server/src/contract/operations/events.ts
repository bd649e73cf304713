import { EventSummary } from '../event.ts';
import { EventFeedPage, EventFeedQuery, EventPage, EventQuery, EventStreamQuery } from '../event-query.ts';
import type { OperatorOperation } from './operation.ts';

/** The trail of changes. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/operator/v1/events',
    summary: 'List the changes, oldest or newest first',
    description:
      'Who changed what, when, by which request: the events that meet every filter, also of what was deleted. With `field` or `contains` the content changes of all apps are searched, a bounded part for each page: follow `nextCursor` until there is none, also when a page has no items. With `workspaces` the response lists where the apps of this page are installed, and with `actors` the names of its actors.',
    scope: 'read',
    query: EventQuery,
    response: EventPage,
  },
  readEventFeed: {
    method: 'GET',
    path: '/operator/v1/events/feed',
    summary: 'Read the next events, waiting for them',
    description:
      'For programs that follow all changes: reading on from `nextCursor` misses no event, and the events of one app have the order of its changes. With `wait`, the response comes with the next event, or without one when the time is over.',
    scope: 'read',
    query: EventFeedQuery,
    response: EventFeedPage,
    refusals: ['cursor_expired'],
  },
  streamEvents: {
    method: 'GET',
    path: '/operator/v1/events/stream',
    summary: 'Follow the events as they happen',
    description:
      'For pages that people look at, such as the console: server-sent events, each with a summary of one change in JSON as its data and its place in the feed as its id. A lost stream goes on from its `Last-Event-ID` without a gap. It ends with the token or session, and when the process shuts down.',
    scope: 'read',
    query: EventStreamQuery,
    response: EventSummary,
    streams: true,
    refusals: ['cursor_expired'],
  },
} as const satisfies Record<string, OperatorOperation>;
