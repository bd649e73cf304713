import type { EventFeedPage, EventPage } from '../../src/features/events/event-query.ts';
import { eventOperations } from '../../src/features/events/events.ts';
import type { NewEvents } from '../../src/features/events/feed/new-events.ts';
import { runOperation } from '../../src/kernel/operation.ts';
import { commandLine, type Registry } from '../../src/kernel/registry.ts';

export function listEvents(registry: Registry, query: unknown): Promise<EventPage> {
  const call = { caller: commandLine, query: query as Record<string, unknown> };
  return runOperation(eventOperations.listEvents, registry, call);
}

export function readEventFeed(
  registry: Registry,
  query: unknown,
  { newEvents, signal }: { newEvents: NewEvents; signal: AbortSignal },
): Promise<EventFeedPage> {
  const waits = { newEvents, longPolls: { acquire: () => () => {} } };
  const call = { caller: commandLine, query: query as Record<string, unknown>, waits, disconnected: () => signal };
  return runOperation(eventOperations.readEventFeed, registry, call);
}
