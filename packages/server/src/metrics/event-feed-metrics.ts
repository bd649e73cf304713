import type { Registry as MetricsRegistry } from 'prom-client';
import type { EventStreams } from '../features/events/feed/event-streams.ts';
import { heldBackMs, type NewEvents } from '../features/events/feed/new-events.ts';
import type { Registry } from '../kernel/registry.ts';
import { measuredGauge } from './measured-gauge.ts';

/** Measures the requests that wait for events, and the time that events are held back from them. */
export function measureEventFeed(
  registry: Registry,
  { newEvents, eventStreams }: { newEvents: NewEvents; eventStreams: EventStreams },
  metrics: MetricsRegistry,
): void {
  measuredGauge(metrics, {
    name: 'event_feed_waiting',
    help: 'Requests to this process that are waiting for an event.',
    measure: async () => newEvents.waiting,
  });
  measuredGauge(metrics, {
    name: 'event_streams_open',
    help: 'Event streams that are open in this process.',
    measure: async () => eventStreams.open,
  });
  if (registry.storage.feedOrder.horizon === null) return;
  measuredGauge(metrics, {
    name: 'event_feed_held_back_seconds',
    help: 'Age of the oldest event that an unfinished transaction of the database server holds back from readers; 0 when there is none.',
    measure: async () => (await heldBackMs(registry)) / 1_000,
  });
}
