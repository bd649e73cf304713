import type { Logger } from 'pino';
import { purgeDeletedApps } from './registry/apps/purge-deleted-apps.ts';
import { pruneIdempotencyKeys } from './registry/idempotency.ts';
import { isRecentlyCounted, recordDailyCounts } from './registry/overview/record-daily-counts.ts';
import type { Registry } from './registry/registry.ts';
import { pruneSessions } from './registry/sessions/end-session.ts';
import { pruneStoredBytes } from './registry/stored-bytes.ts';
import { observeClock } from './registry/trusted-time.ts';
import { pruneDeliveries } from './registry/webhooks/deliveries/prune-deliveries.ts';

const everyMs = 3_600_000;
/** Counting takes a fiftieth of the time: a million apps on a cold disk would halve all updates for ten seconds. */
const countingPauses = 49;

export interface MaintenanceOptions {
  logger: Logger;
  deliveryRetentionDays: number;
}

/** Runs the maintenance of a service at its start and every hour. Returns a function that stops it. */
export function startMaintenance(
  registry: Registry,
  { logger, deliveryRetentionDays }: MaintenanceOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    stopping.abort();
    return running;
  };

  async function run(): Promise<void> {
    try {
      await observeClock(registry);
      await pruneIdempotencyKeys(registry);
      await pruneStoredBytes(registry);
      await pruneSessions(registry);
      await purgeDeletedApps(registry);
      const givenUp = await pruneDeliveries(registry, { retentionDays: deliveryRetentionDays });
      if (givenUp > 0) logger.warn({ givenUp }, 'pruned deliveries that had been given up');
      if (await isRecentlyCounted(registry)) return;
      await recordDailyCounts(registry, { pauses: countingPauses, signal: stopping.signal });
    } catch (error) {
      // Incomplete counts are discarded; the next start counts again.
      if (stopping.signal.aborted && error instanceof Error && error.name === 'AbortError') return;
      // It can wait for the next hour; requests report an unavailable database soon enough.
      logger.warn({ err: error }, 'maintenance failed');
    }
  }
}
