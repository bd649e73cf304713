import type { Logger } from 'pino';
import { pruneSessions } from './features/access/browser-sessions.ts';
import { alignSkeletons } from './features/apps/comparison/align-skeletons.ts';
import { catchUp } from './features/apps/comparison/projections.ts';
import { purgeDeletedApps } from './features/apps/deleted-apps.ts';
import { pruneClaims } from './features/apps/review/review-claims.ts';
import { countInstallationChanges } from './features/overview/count-installation-changes.ts';
import { isRecentlyCounted, recordDailyCounts } from './features/overview/daily-counts.ts';
import { pruneDeliveries } from './features/webhooks/deliveries/stored-deliveries.ts';
import { pruneIdempotencyKeys } from './kernel/idempotency.ts';
import type { Registry } from './kernel/registry.ts';
import { observeClock } from './kernel/time.ts';

const everyMs = 3_600_000;
const alignEveryMs = 60_000;
/** Readers catch up by themselves. This bounds what they find to do. */
const catchUpEveryMs = 1_000;
/** Counting takes a fiftieth of the time: a million apps on a cold disk would halve all updates for ten seconds. */
const countingPauses = 49;

export interface MaintenanceOptions {
  logger: Logger;
  deliveryRetentionDays: number;
}

/**
 * Runs the maintenance of a service at its start and every hour, brings projections and statistics up to date every second,
 * and looks for skeletons of an older Unicode every minute. Returns a function that stops it.
 */
export function startMaintenance(
  registry: Registry,
  { logger, deliveryRetentionDays }: MaintenanceOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isBehind = false;
  const stops = [repeat(run, everyMs), repeat(align, alignEveryMs), repeat(catchUpAll, catchUpEveryMs)];
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

  async function align(): Promise<void> {
    try {
      await alignSkeletons(registry, { signal });
    } catch (error) {
      report(error, 'the skeletons of names could not be aligned');
    }
  }

  async function catchUpAll(): Promise<void> {
    try {
      await catchUp(registry);
      await countInstallationChanges(registry, { signal });
      isBehind = false;
    } catch (error) {
      // Once, not every second.
      if (!isBehind) report(error, 'search texts and statistics could not be brought up to date');
      isBehind = true;
    }
  }

  /** It can wait for the next time; requests report an unavailable database soon enough. */
  function report(error: unknown, message: string): void {
    if (signal.aborted && error instanceof Error && error.name === 'AbortError') return;
    logger.warn({ err: error }, message);
  }
}

/** Runs some work now and at intervals, one after another, of which at most one waits. Returns a function that stops it. */
function repeat(work: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let running = work();
  let isWaiting = false;
  const timer = setInterval(() => {
    if (isWaiting) return;
    isWaiting = true;
    running = running.then(() => {
      isWaiting = false;
      return work();
    });
  }, intervalMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return running;
  };
}
