import { setImmediate, setTimeout } from 'node:timers/promises';
import type { AppCounts } from '../../contract/overview.ts';
import type { ReviewStatus } from '../../contract/review.ts';
import { listNextCounts } from '../../storage/queries/daily-counts.ts';
import type { Registry } from '../registry.ts';

/** What a registry holds. */
export interface RegistryCounts {
  apps: AppCounts;
  /** Of all apps, enabled and disabled. */
  installations: number;
  /** When counting began, in milliseconds since 1970. */
  countedAt: number;
}

const memberOf = {
  DRAFT: 'draft',
  AWAITING_REVIEW: 'awaitingReview',
  APPROVED: 'approved',
  REJECTED: 'rejected',
} as const satisfies Record<ReviewStatus, keyof AppCounts>;

/**
 * SQLite goes through so many apps in a quarter of a millisecond, and in 1 to 220 when it reads them from a disk: so long
 * it answers nobody else.
 */
const stepApps = 250;

export interface Pace {
  /** How many times as long as a step took is waited before the next one. */
  pauses: number;
  /** Ends the counting in one of its pauses: then it throws. */
  signal: AbortSignal;
}

/**
 * Counts the apps in each status and their installations, in steps between which others are answered: any number of
 * apps, in memory that does not grow with it. What changes meanwhile is counted as it was or as it is. Without a pace
 * it is as quick as can be.
 */
export async function countRegistry({ storage, now }: Registry, pace?: Pace): Promise<RegistryCounts> {
  const apps = { draft: 0, awaitingReview: 0, approved: 0, rejected: 0 };
  const counts = { apps, installations: 0, countedAt: now() };
  for (let after = ''; ; ) {
    const beganAt = performance.now();
    const step = await listNextCounts(storage.reader, { after, limit: stepApps });
    let stepped = 0;
    for (const { review_status: status, ...counted } of step) {
      apps[memberOf[status]] += counted.apps;
      counts.installations += counted.installations;
      if (counted.last_id > after) after = counted.last_id;
      stepped += counted.apps;
    }
    if (stepped < stepApps) return counts;
    // SQLite works in this thread.
    await pauseAfter(performance.now() - beganAt, pace);
  }
}

async function pauseAfter(stepMs: number, pace: Pace | undefined): Promise<void> {
  if (!pace) return setImmediate();
  await setTimeout(pace.pauses * stepMs, undefined, { signal: pace.signal });
}
