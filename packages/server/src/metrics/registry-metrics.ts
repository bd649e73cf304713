import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge, Histogram, type Registry as MetricsRegistry } from 'prom-client';
import { soonestExpiries } from '../features/access/access-token.ts';
import type { EventStreams } from '../features/events/feed/event-streams.ts';
import { type NewEvents, waitingForTransactionsMs } from '../features/events/feed/new-events.ts';
import type { Registry } from '../kernel/registry.ts';

/** Less than the scrape timeout of Prometheus for all metrics together, ten seconds by default. */
const measureMsMax = 2_000;

/** One value, or one per value of the label. */
type Measured = number | Record<string, number>;

interface MeasuredGaugeOptions {
  name: string;
  help: string;
  label?: string;
  measure: () => Promise<Measured>;
  /** The value when measuring fails; without it, the gauge is then omitted. */
  otherwise?: number;
  /** Ends when a measurement takes too long. Rejects once the signal is aborted. */
  tooLate?: (signal: AbortSignal) => Promise<unknown>;
}

/**
 * A gauge that is measured whenever it is read, once for all concurrent readers. So an unresponsive database gets one
 * query per gauge and does not block other metrics.
 */
export function measuredGauge(metrics: MetricsRegistry, options: MeasuredGaugeOptions): void {
  const { name, help, label, measure, otherwise, tooLate = measureTimeout } = options;
  let measuring: Promise<Measured> | undefined;
  new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [metrics],
    async collect() {
      measuring ??= measure().finally(() => {
        measuring = undefined;
      });
      const measured = (await inTime(measuring, tooLate)) ?? otherwise;
      this.reset();
      // `reset` removes only the values of labels.
      if (!label) this.remove();
      if (typeof measured === 'number') this.set(measured);
      else if (label) for (const [value, count] of Object.entries(measured ?? {})) this.set({ [label]: value }, count);
    },
  });
}

function measureTimeout(signal: AbortSignal): Promise<unknown> {
  return sleep(measureMsMax, undefined, { signal });
}

/** Undefined when it fails or takes too long. */
async function inTime(
  measuring: Promise<Measured>,
  tooLate: (signal: AbortSignal) => Promise<unknown>,
): Promise<Measured | undefined> {
  const timer = new AbortController();
  const ended = tooLate(timer.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([measuring, ended]);
  } catch {
    return undefined;
  } finally {
    timer.abort();
  }
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const writes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Measures the database: events as they occur, and state whenever the metrics are read. */
export function measureDatabase({ storage }: Registry, metrics: MetricsRegistry): void {
  observeWork(storage, metrics);
  const { databaseBytes, tables, walBytes, diskFreeBytes, lastBackupAt, clockOffsetMs, waiting } = storage.measures;
  gauge(databaseBytes, { name: 'database_size_bytes', help: 'Size of the database.' });
  for (const [unit, help] of [
    ['rows', 'Estimated rows of each table.'],
    ['bytes', 'Estimated size of each table.'],
  ] as const) {
    gauge(async () => Object.fromEntries(Object.entries(await tables()).map(([name, size]) => [name, size[unit]])), {
      name: unit === 'rows' ? 'database_table_rows' : 'database_table_size_bytes',
      help,
      label: 'table',
    });
  }
  gauge(walBytes, { name: 'database_wal_bytes', help: 'Size of the write-ahead log.' });
  gauge(diskFreeBytes, {
    name: 'database_disk_free_bytes',
    help: 'Free space on the disk that holds the database.',
  });
  gauge(lastBackupAt && (async () => (await lastBackupAt()) / 1_000), {
    name: 'database_last_backup_timestamp_seconds',
    help: 'Snapshot time of the last backup by "app-registry backup"; 0 before the first.',
  });
  gauge(clockOffsetMs && (async () => (await clockOffsetMs()) / 1_000), {
    name: 'database_clock_offset_seconds',
    help: 'How far the clock of the database server is ahead of the clock of this machine.',
  });
  gauge(waiting, {
    name: 'database_connections_waiting',
    help: 'Callers that are waiting for a database connection.',
    label: 'pool',
  });

  /** Exports nothing, rather than 0, for a value that the engine does not provide. */
  function gauge(
    measure: MeasuredGaugeOptions['measure'] | undefined,
    named: Omit<MeasuredGaugeOptions, 'measure'>,
  ): void {
    if (measure) measuredGauge(metrics, { ...named, measure });
  }
}

function observeWork(storage: Registry['storage'], metrics: MetricsRegistry): void {
  const duration = histogram(seconds, {
    name: 'database_commit_duration_seconds',
    help: 'Duration of a commit, most of which is the wait for the disk.',
  });
  const isSqlite = storage.engine === 'sqlite';
  const group = isSqlite
    ? histogram(writes, { name: 'database_commit_writes', help: 'Writes that shared a commit.' })
    : null;
  const wait = isSqlite
    ? null
    : histogram(seconds, {
        name: 'database_connection_wait_seconds',
        help: 'Wait for a database connection, of callers that found none idle.',
      });
  const timelineChanges = isSqlite
    ? null
    : new Counter({
        name: 'database_timeline_changes_total',
        help: 'Timeline changes of the database server that this process has seen: failovers and point-in-time recoveries.',
        registers: [metrics],
      });
  storage.observe({
    committed: (commit) => {
      duration.observe(commit.seconds);
      group?.observe(commit.writes);
    },
    waited: (waitedSeconds) => wait?.observe(waitedSeconds),
    timelineChanged: () => timelineChanges?.inc(),
  });

  function histogram(buckets: number[], named: { name: string; help: string }): Histogram {
    return new Histogram({ ...named, buckets, registers: [metrics] });
  }
}

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
