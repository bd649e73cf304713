import type { eventOperations } from '../../contract/operations/events.ts';
import { listEvents } from '../../registry/events/list-events.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Handlers } from './operation-route.ts';

/** The trail of changes. */
export function eventHandlers(registry: Registry): Handlers<typeof eventOperations> {
  return {
    listEvents: ({ query }) => listEvents(registry, query),
  };
}
