import type { Registry } from '../../kernel/registry.ts';
import { countRegistry, type Pace } from './count-registry.ts';
import { findLastCount, replaceDailyCounts } from './daily-count-queries.ts';

const freshMs = 1_800_000;

/**
 * Whether any process has counted within the last half hour. It saves several processes on one database, or one that
 * restarts repeatedly, from each counting a large registry.
 */
export async function isRecentlyCounted({ storage, now }: Registry): Promise<boolean> {
  const at = now();
  // Counts from the future, of a clock that was ahead, are not recent.
  const last = await findLastCount(storage.reader, { until: at });
  return last !== null && at - last.counted_at < freshMs;
}

/** Records the current counts for this day, and replaces earlier ones of the day. */
export async function recordDailyCounts(registry: Registry, pace?: Pace): Promise<void> {
  const { apps, installations, countedAt } = await countRegistry(registry, pace);
  const row = {
    day: dayOf(countedAt),
    draft_apps: apps.draft,
    awaiting_review_apps: apps.awaitingReview,
    approved_apps: apps.approved,
    rejected_apps: apps.rejected,
    installations,
    counted_at: countedAt,
  };
  await registry.storage.write((transaction) => replaceDailyCounts(transaction, row));
}

/** The day of a time, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
