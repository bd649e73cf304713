import { EventPage, EventQuery } from '../event-query.ts';
import type { OperatorOperation } from './operation.ts';

/** The trail of changes. */
export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/operator/v1/events',
    summary: 'List the changes, oldest or newest first',
    description:
      'Who changed what, when, by which request: the events that meet every filter, also of what was deleted. With `field` or `contains` the content changes of all apps are searched, a bounded part for each page: follow `nextCursor` until there is none, also when a page has no items. With `workspaces` the response lists where the apps of this page are installed.',
    scope: 'read',
    query: EventQuery,
    response: EventPage,
  },
} as const satisfies Record<string, OperatorOperation>;
