import type { Logger } from 'pino';
import { purgeDeletedApps } from './registry/apps/purge-deleted-apps.ts';
import { pruneIdempotencyKeys } from './registry/idempotency.ts';
import { countInstallationChanges } from './registry/overview/count-installation-changes.ts';
import { isRecentlyCounted, recordDailyCounts } from './registry/overview/record-daily-counts.ts';
import type { Registry } from './registry/registry.ts';
import { pruneClaims } from './registry/review/claims/prune-claims.ts';
import { alignSkeletons } from './registry/review/warnings/align-skeletons.ts';
import { pruneSessions } from './registry/sessions/end-session.ts';
import { observeClock } from './registry/trusted-time.ts';
import { pruneDeliveries } from './registry/webhooks/deliveries/prune-deliveries.ts';

const everyMs = 3_600_000;
const refreshEveryMs = 60_000;
/** Counting takes a fiftieth of the time: a million apps on a cold disk would halve all updates for ten seconds. */
const countingPauses = 49;

export interface MaintenanceOptions {
  logger: Logger;
  deliveryRetentionDays: number;
}

/**
 * Runs the maintenance of a service at its start and every hour, and brings derived data up to date every minute. Returns
 * a function that stops it.
 */
export function startMaintenance(
  registry: Registry,
  { logger, deliveryRetentionDays }: MaintenanceOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stops = [repeat(run, everyMs), repeat(refresh, refreshEveryMs)];
  return async () => {
    stopping.abort();
    await Promise.all(stops.map((stop) => stop()));
  };

  async function run(): Promise<void> {
    try {
      await observeClock(registry);
      await pruneIdempotencyKeys(registry);
      await pruneSessions(registry);
      await pruneClaims(registry);
      await purgeDeletedApps(registry);
      const undelivered = await pruneDeliveries(registry, { retentionDays: deliveryRetentionDays });
      if (undelivered > 0) logger.warn({ undelivered }, 'pruned deliveries that never succeeded');
      if (await isRecentlyCounted(registry)) return;
      await recordDailyCounts(registry, { pauses: countingPauses, signal });
    } catch (error) {
      // Incomplete counts are discarded; the next start counts again.
      report(error, 'maintenance failed');
    }
  }

  async function refresh(): Promise<void> {
    try {
      await alignSkeletons(registry, { signal });
      await countInstallationChanges(registry, { signal });
    } catch (error) {
      report(error, 'derived data of apps could not be refreshed');
    }
  }

  /** It can wait for the next time; requests report an unavailable database soon enough. */
  function report(error: unknown, message: string): void {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return;
    logger.warn({ err: error }, message);
  }
}

/** Runs some work now and at intervals, one after another. Returns a function that stops it. */
function repeat(work: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let running = work();
  const timer = setInterval(() => {
    running = running.then(work);
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
