import { Counter, Gauge, type Registry as MetricsRegistry } from 'prom-client';
import { soonestExpiries } from '../features/access/authenticate.ts';
import type { EventStreams } from '../features/events/feed/event-streams.ts';
import { type NewEvents, waitingForTransactionsMs } from '../features/events/feed/new-events.ts';
import type { Registry } from '../kernel/registry.ts';
import { measuredGauge } from './measured-gauge.ts';

/** Measures whether the registry is ready (`requireReady` throws if it is not), and what is about to expire. */
export function measureRegistry(registry: Registry, metrics: MetricsRegistry, requireReady: () => Promise<void>): void {
  measuredGauge(metrics, {
    name: 'registry_ready',
    help: '1 when /readyz would respond with 200, else 0.',
    otherwise: 0,
    async measure() {
      await requireReady();
      return 1;
    },
  });
  measuredGauge(metrics, {
    name: 'access_token_soonest_expiry_timestamp_seconds',
    help: 'Earliest expiry of the tokens of a kind that are not revoked, were used within 7 days and were issued for 14 days or more.',
    label: 'kind',
    async measure() {
      const soonest = Object.entries(await soonestExpiries(registry));
      return Object.fromEntries(soonest.map(([kind, at]) => [kind, at / 1_000]));
    },
  });
}

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
    measure: async () => (await waitingForTransactionsMs(registry)) / 1_000,
  });
}

const everyMs = 1_000;
/** Corrections of an accurate clock are smaller, or gradual. */
const jumpMsMin = 5_000;

/**
 * Counts how often the clock is set, and reports each jump: by how much it is ahead of what the machine measured since
 * the second before. Returns a function that stops this.
 */
export function watchClock(
  { now, machine }: Registry,
  metrics: MetricsRegistry,
  onJump: (jumpMs: number) => void,
): () => void {
  const jumps = new Counter({
    name: 'clock_jumps_total',
    help: 'Times that the clock jumped by more than 5 seconds while this process ran.',
    registers: [metrics],
  });
  const startedAt = () => now() - machine.uptimeMs();
  let before = startedAt();
  const timer = setInterval(() => {
    const jumpMs = Math.round(startedAt() - before);
    before += jumpMs;
    if (Math.abs(jumpMs) < jumpMsMin) return;
    jumps.inc();
    onJump(jumpMs);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

export function measureLog(log: { droppedLines: () => number }, metrics: MetricsRegistry): void {
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines dropped because the output was not read or could not be written.',
    registers: [metrics],
    collect() {
      this.reset();
      this.inc(log.droppedLines());
    },
  });
}

/** Always 1; its labels name the program, as those of other programs that Prometheus scrapes. */
export function measureBuild(build: { version: string; commit?: string }, metrics: MetricsRegistry): void {
  new Gauge({
    name: 'registry_build_info',
    help: 'Always 1; the labels hold the version of the program and, if known, its commit.',
    labelNames: ['version', 'commit'],
    registers: [metrics],
  }).set({ ...build }, 1);
}
