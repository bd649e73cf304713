import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { DailyCountsRow } from '../../storage/tables.ts';
import { findFirstWaiting } from '../apps/review/review-queue-queries.ts';
import { listDailyCountsBefore } from './daily-count-queries.ts';
import { type Overview, overviewLimits } from './overview.ts';
import { recentCounts } from './recent-counts.ts';
import { dayOf } from './record-daily-counts.ts';

/**
 * The state of the registry and the counts of the latest 90 days. Apps and installations are at most a minute old, the
 * review queue is current.
 */
export async function getOverview(registry: Registry): Promise<Overview> {
  const { reader } = registry.storage;
  const { apps, installations, countedAt } = await recentCounts(registry);
  const today = { date: dayOf(countedAt), apps, installations };
  const before = await listDailyCountsBefore(reader, { day: today.date, limit: overviewLimits.days - 1 });
  return {
    countedAt: dateTime(countedAt),
    apps,
    installations,
    review: await reviewOverview(registry),
    days: [...before.map(dayView).toReversed(), today],
  };
}

async function reviewOverview({ storage }: Registry): Promise<Overview['review']> {
  const { awaiting: awaitingMax } = overviewLimits;
  const first = await findFirstWaiting(storage.reader, { countMax: awaitingMax + 1 });
  if (!first) return { awaiting: 0, more: false };
  const waiting = first.waiting ?? 0;
  return {
    awaiting: Math.min(waiting, awaitingMax),
    more: waiting > awaitingMax,
    oldestWaitingSince: dateTime(first.waiting_since),
  };
}

function dayView(row: DailyCountsRow): Overview['days'][number] {
  return {
    date: row.day,
    apps: {
      draft: row.draft_apps,
      awaitingReview: row.awaiting_review_apps,
      approved: row.approved_apps,
      rejected: row.rejected_apps,
    },
    installations: row.installations,
  };
}
