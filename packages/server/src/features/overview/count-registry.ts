import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Registry } from '../../kernel/registry.ts';
import type { ReviewStatus } from '../apps/review/review-status.ts';
import { listNextCounts } from './daily-count-queries.ts';
import type { AppCounts } from './overview.ts';

/** The counts of a registry. */
export interface RegistryCounts {
  apps: AppCounts;
  /** Of all apps, enabled and disabled. */
  installations: number;
  /** When counting started, in milliseconds since 1970. */
  countedAt: number;
}

const countNames = {
  DRAFT: 'draft',
  AWAITING_REVIEW: 'awaitingReview',
  APPROVED: 'approved',
  REJECTED: 'rejected',
} as const satisfies Record<ReviewStatus, keyof AppCounts>;

/** SQLite blocks the process for 0.25 ms to count these, or for 1 to 220 ms when it reads them from disk. */
const stepApps = 250;

export interface Pace {
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
