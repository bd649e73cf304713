import type { Logger } from 'pino';
import { purgeDeletedApps } from './registry/apps/purge-deleted-apps.ts';
import { pruneIdempotencyKeys } from './registry/idempotency.ts';
import { isRecentlyCounted, recordDailyCounts } from './registry/overview/record-daily-counts.ts';
import type { Registry } from './registry/registry.ts';
import { pruneSessions } from './registry/sessions/end-session.ts';
import { pruneDeliveries } from './registry/webhooks/deliveries/prune-deliveries.ts';

const everyMs = 3_600_000;
/** So counting takes a fiftieth of the time: a million apps on a cold disk would halve all updates for ten seconds. */
const countingPauses = 49;

export interface MaintenanceOptions {
  logger: Logger;
  deliveryRetentionDays: number;
}

/** What a running service does by itself, at its start and every hour. Answers what ends it. */
export function startMaintenance(
  registry: Registry,
  { logger, deliveryRetentionDays }: MaintenanceOptions,
): () => Promise<void> {
  const ending = new AbortController();
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    ending.abort();
    return running;
  };

  async function run(): Promise<void> {
    try {
      await pruneIdempotencyKeys(registry);
      await pruneSessions(registry);
      await purgeDeletedApps(registry);
      const givenUp = await pruneDeliveries(registry, { retentionDays: deliveryRetentionDays });
      if (givenUp > 0) logger.warn({ givenUp }, 'old deliveries were deleted that had been given up');
      if (await isRecentlyCounted(registry)) return;
      await recordDailyCounts(registry, { pauses: countingPauses, signal: ending.signal });
    } catch (error) {
      // Of what was not counted to its end nothing is kept; the next start counts anew.
      if (ending.signal.aborted && (error as Error).name === 'AbortError') return;
      // It can wait for the next hour; requests tell the state of the database soon enough.
      logger.warn({ err: error }, 'the upkeep of the database failed');
    }
  }
}
