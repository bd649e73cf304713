import { putDailyCounts } from '../storage/daily-counts.ts';
import { countRegistry, type Pace } from './count-registry.ts';
import type { Registry } from './registry.ts';

/** Keeps what the registry holds as the counts of this day, in place of what was counted earlier on it. */
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
  await registry.storage.write((transaction) => putDailyCounts(transaction, row));
}

/** The day of a time, in UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
