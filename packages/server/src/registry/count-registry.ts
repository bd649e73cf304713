import { setImmediate } from 'node:timers/promises';
import type { AppCounts } from '../contract/overview.ts';
import type { ReviewStatus } from '../contract/review.ts';
import { listNextCounts } from '../storage/daily-counts.ts';
import type { Registry } from './registry.ts';

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
 * Counts the apps in each status and their installations, in steps between which others are answered: any number of
 * apps, in memory that does not grow with it. What changes meanwhile is counted as it was or as it is.
 */
export async function countRegistry({ storage, now }: Registry): Promise<RegistryCounts> {
  const apps = { draft: 0, awaitingReview: 0, approved: 0, rejected: 0 };
  const counts = { apps, installations: 0, countedAt: now() };
  for (let after = ''; ; ) {
    const step = await listNextCounts(storage.reader, { after });
    if (step.length === 0) return counts;
    for (const { review_status: status, ...counted } of step) {
      apps[memberOf[status]] += counted.apps;
      counts.installations += counted.installations;
      if (counted.last_id > after) after = counted.last_id;
    }
    // SQLite works in this thread.
    await setImmediate();
  }
}
