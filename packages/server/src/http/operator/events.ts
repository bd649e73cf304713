import { EventPage, EventQuery } from '../../contract/event-query.ts';
import { listEvents } from '../../registry/events/list-events.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Operation } from './operation.ts';

/** The trail of changes. */
export function eventOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: '/operator/v1/events',
      id: 'listEvents',
      summary: 'List the changes, oldest or newest first',
      description:
        'Who changed what, when, by which request: the events that meet every filter, also of what was deleted. With `workspaces` the answer tells where the apps of this page are installed.',
      scope: 'read',
      query: EventQuery,
      answer: EventPage,
      handle: ({ query }) => listEvents(registry, query),
    },
  ];
}
