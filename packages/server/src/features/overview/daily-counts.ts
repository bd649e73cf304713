import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Registry } from '../../kernel/registry.ts';
import type { Storage } from '../../storage/storage.ts';
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

const goodMsMax = 60_000;
/** A result that takes less time is not reused. */
const quickMs = 100;

interface Known<Result> {
  result: Promise<Result>;
  /** By the uptime of the machine. */
  beganAtMs: number;
  /** Infinite while it is made, so that no concurrent caller makes it too. */
  goodMs: number;
}

/**
 * Makes something about a whole registry that is at most a minute old. What is quick is made each time. What is slow is
 * reused for a hundred times as long as it took, so that it takes at most a hundredth of the time.
 */
export function reusedBriefly<Result>(make: (registry: Registry) => Promise<Result>) {
  const known = new WeakMap<Storage, Known<Result>>();
  return (registry: Registry): Promise<Result> => {
    const last = known.get(registry.storage);
    const ageMs = registry.machine.uptimeMs() - (last?.beganAtMs ?? 0);
    return last && ageMs < last.goodMs ? last.result : makeAgain(registry);
  };

  async function makeAgain(registry: Registry): Promise<Result> {
    const { storage, machine } = registry;
    const begun = { beganAtMs: machine.uptimeMs(), result: make(registry), goodMs: Number.POSITIVE_INFINITY };
    known.set(storage, begun);
    try {
      const result = await begun.result;
      const tookMs = machine.uptimeMs() - begun.beganAtMs;
      begun.goodMs = tookMs < quickMs ? 0 : Math.min(100 * tookMs, goodMsMax);
      return result;
    } catch (error) {
      known.delete(storage);
      throw error;
    }
  }
}
