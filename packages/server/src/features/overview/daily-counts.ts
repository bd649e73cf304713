import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Registry, reusedBriefly } from '../../kernel/registry.ts';
import type { ReviewStatus } from '../apps/review/review-status.ts';
import { findLastCount, listNextCounts, replaceDailyCounts } from './overview-queries.ts';

const countNames = {
  DRAFT: 'draft',
  AWAITING_REVIEW: 'awaitingReview',
  APPROVED: 'approved',
  REJECTED: 'rejected',
} as const satisfies Record<ReviewStatus, string>;

const freshMs = 1_800_000;

/** SQLite blocks the process for 0.25 ms to count these, or for 1 to 220 ms when it reads them from disk. */
const stepApps = 250;

/** The counts of a registry. */
interface RegistryCounts {
  apps: Record<(typeof countNames)[ReviewStatus], number>;
  /** Of all apps, enabled and disabled. */
  installations: number;
  /** When counting started, in milliseconds since 1970. */
  countedAt: number;
}

interface Pace {
  /** The pause after each step, as a multiple of its duration. */
  pauses: number;
  /** Aborts the counting during a pause, which then throws. */
  signal: AbortSignal;
}

/**
 * Counts the apps in each status and their installations. Works in steps that let other requests run, in constant
 * memory for any number of apps. Concurrent changes may or may not be counted. Without a pace, it does not pause.
 */
export async function countRegistry({ storage, now }: Registry, pace?: Pace): Promise<RegistryCounts> {
  const apps = { draft: 0, awaitingReview: 0, approved: 0, rejected: 0 };
  const counts = { apps, installations: 0, countedAt: now() };
  for (let after = ''; ; ) {
    const beganAt = performance.now();
    const step = await listNextCounts(storage.reader, { after, limit: stepApps });
    let stepped = 0;
    for (const { review_status: status, ...counted } of step) {
      apps[countNames[status]] += counted.apps;
      counts.installations += counted.installations;
      if (counted.last_id > after) after = counted.last_id;
      stepped += counted.apps;
    }
    if (stepped < stepApps) return counts;
    // SQLite blocks this thread.
    await pauseAfter(performance.now() - beganAt, pace);
  }
}

async function pauseAfter(stepMs: number, pace: Pace | undefined): Promise<void> {
  if (!pace) return setImmediate();
  await setTimeout(pace.pauses * stepMs, undefined, { signal: pace.signal });
}

/** The counts of the registry, at most a minute old. A small registry is counted each time. */
export const recentCounts = reusedBriefly<RegistryCounts>((registry) => countRegistry(registry));

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
    day: utcDay(countedAt),
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
export function utcDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
