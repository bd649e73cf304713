import Type from 'typebox';
import { byId, operation } from '../../kernel/operation.ts';
import type { Registry } from '../../kernel/registry.ts';
import { DateTime, dateTime } from '../../kernel/text.ts';
import type { DailyCountsRow } from '../../storage/tables.ts';
import { findFirstWaiting } from '../apps/review/review-queries.ts';
import { recentCounts, utcDay } from './daily-counts.ts';
import { listDailyCountsBefore } from './overview-queries.ts';
import { Count, calendarDay, getStatistics } from './review-statistics.ts';

const AppCounts = Type.Object(
  { draft: Count, awaitingReview: Count, approved: Count, rejected: Count },
  { description: 'The number of apps in each review status.' },
);

/** The number of days in an overview, and the maximum number of apps that it counts in the review queue. */
const overviewLimits = { days: 90, awaiting: 1_000 };

/** The counts of one day. */
const Day = Type.Object({
  date: Type.String({ ...calendarDay, description: 'In UTC.', examples: ['2026-03-01'] }),
  apps: AppCounts,
  installations: Count,
});

/** The current counts of a registry, and those of past days. */
const Overview = Type.Object(
  {
    countedAt: Type.Unsafe<string>({
      ...DateTime,
      description: 'The time at which `apps` and `installations` were counted.',
    }),
    apps: AppCounts,
    installations: Type.Integer({ minimum: 0, description: 'Installations of all apps, enabled and disabled.' }),
    review: Type.Object(
      {
        awaiting: Type.Integer({ minimum: 0, maximum: overviewLimits.awaiting }),
        more: Type.Boolean({
          description: `Whether more items await review than the ${overviewLimits.awaiting} counted.`,
        }),
        oldestWaitingSince: Type.Optional(
          Type.Unsafe<string>({
            ...DateTime,
            description: 'The `waitingSince` of the first in the review queue; absent when the queue is empty.',
          }),
        ),
      },
      { description: 'The current review queue: submissions, changes and transfers.' },
    ),
    days: Type.Array(Day, {
      maxItems: overviewLimits.days,
      description: 'The last counts of each day up to today, oldest first. Days without a running server are absent.',
    }),
  },
  { $id: 'Overview', description: 'The current counts of the registry, and those of recent days.' },
);
type Overview = Type.Static<typeof Overview>;

function lineOf({ apps, installations }: Overview['days'][number]): string {
  const all = Object.values(apps).reduce((sum, count) => sum + count, 0);
  return `${all} apps, ${installations} installations`;
}

/** Apps and installations are at most a minute old, the review queue is current. */
const getOverview = operation({
  id: 'getOverview',
  method: 'GET',
  path: '/operator/v1/overview',
  summary: 'Get the state of the registry and its daily history',
  description:
    'Returns the number of apps in each status and of installations, at most a minute old; what awaits review now; and the counts of each of the last 90 days.',
  scope: 'read',
  response: Overview,
  command: {
    name: 'overview get',
    description: 'Show the number of apps and installations, the review queue and daily counts.',
    // One line per day.
    readable: ({ days, ...overview }) => ({
      ...overview,
      days: Object.fromEntries(days.map((day) => [day.date, lineOf(day)])),
    }),
    examples: ['app-registry overview get'],
  },
  async run({ registry }) {
    const { reader } = registry.storage;
    const { apps, installations, countedAt } = await recentCounts(registry);
    const today = { date: utcDay(countedAt), apps, installations };
    const before = await listDailyCountsBefore(reader, { day: today.date, limit: overviewLimits.days - 1 });
    return {
      countedAt: dateTime(countedAt),
      apps,
      installations,
      review: await reviewOverview(registry),
      days: [...before.map(dayView).toReversed(), today],
    };
  },
});

export const overviewOperations = byId(getOverview);
export const statisticsOperations = byId(getStatistics);

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
