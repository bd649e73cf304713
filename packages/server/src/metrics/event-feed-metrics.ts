import type { Registry as MetricsRegistry } from 'prom-client';
import type { EventStreams } from '../registry/events/feed/event-streams.ts';
import { heldBackMs } from '../registry/events/feed/held-back.ts';
import type { NewEvents } from '../registry/events/feed/new-events.ts';
import type { Registry } from '../registry/registry.ts';
import { measuredGauge } from './measured-gauge.ts';

/** Measures who waits for events, and what keeps events from them. */
export function measureEventFeed(
  registry: Registry,
  { newEvents, eventStreams }: { newEvents: NewEvents; eventStreams: EventStreams },
  metrics: MetricsRegistry,
): void {
  measuredGauge(metrics, {
    name: 'event_feed_waiting',
    help: 'How many requests to this process wait for an event.',
    measure: async () => newEvents.waiting,
  });
  measuredGauge(metrics, {
    name: 'event_streams_open',
    help: 'How many streams of events are open in this process.',
    measure: async () => eventStreams.open,
  });
  if (registry.storage.feedOrder.horizon === null) return;
  measuredGauge(metrics, {
    name: 'event_feed_held_back_seconds',
    help: 'How long the first event has waited that readers do not get yet, because a transaction of the server is unfinished; 0 when there is none.',
    measure: async () => (await heldBackMs(registry)) / 1_000,
  });
}
