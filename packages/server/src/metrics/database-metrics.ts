import { Counter, Histogram, type Registry as MetricsRegistry } from 'prom-client';
import type { Registry } from '../kernel/registry.ts';
import { type MeasuredGaugeOptions, measuredGauge } from './measured-gauge.ts';

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
  const group =
    storage.engine === 'sqlite' &&
    histogram(writes, { name: 'database_commit_writes', help: 'Writes that shared a commit.' });
  const wait =
    storage.engine === 'postgres' &&
    histogram(seconds, {
      name: 'database_connection_wait_seconds',
      help: 'Wait for a database connection, of callers that found none idle.',
    });
  const timelineChanges =
    storage.engine === 'postgres' &&
    new Counter({
      name: 'database_timeline_changes_total',
      help: 'Timeline changes of the database server that this process has seen: failovers and point-in-time recoveries.',
      registers: [metrics],
    });
  storage.observe({
    committed: (commit) => {
      duration.observe(commit.seconds);
      if (group) group.observe(commit.writes);
    },
    waited: (waitedSeconds) => {
      if (wait) wait.observe(waitedSeconds);
    },
    timelineChanged: () => {
      if (timelineChanges) timelineChanges.inc();
    },
  });

  function histogram(buckets: number[], named: { name: string; help: string }): Histogram {
    return new Histogram({ ...named, buckets, registers: [metrics] });
  }
}
