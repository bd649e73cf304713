import Type from 'typebox';
import { AppId } from '../../kernel/ids.ts';
import { DateTime } from '../../kernel/text.ts';

const Count = Type.Integer({ minimum: 0 });

const AppCounts = Type.Object(
  { draft: Count, awaitingReview: Count, approved: Count, rejected: Count },
  { description: 'The number of apps in each review status.' },
);
export type AppCounts = Type.Static<typeof AppCounts>;

/** The number of days in an overview, and the maximum number of apps that it counts in the review queue. */
export const overviewLimits = { days: 90, awaiting: 1_000 };

const calendarDay = { pattern: '^\\d{4}-\\d\\d-\\d\\d$' };

/** The counts of one day. */
const Day = Type.Object({
  date: Type.String({ ...calendarDay, description: 'In UTC.', examples: ['2026-03-01'] }),
  apps: AppCounts,
  installations: Count,
});

/** The current counts of a registry, and those of past days. */
export const Overview = Type.Object(
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
export type Overview = Type.Static<typeof Overview>;

/** How many weeks statistics have, and how many apps they name and count at most. */
export const statisticsLimits = { weeks: 12, growingApps: 5, waiting: 100_000 };

const Decisions = Type.Object({
  approved: Type.Integer({ minimum: 0, description: 'Apps and changes that were approved.' }),
  rejected: Type.Integer({ minimum: 0, description: 'Apps that were rejected.' }),
  changesRejected: Type.Integer({ minimum: 0, description: 'Changes of approved apps that were rejected.' }),
  revoked: Type.Integer({ minimum: 0, description: 'Approvals that were revoked.' }),
});

/** What happened in one week. */
const Week = Type.Object({
  monday: Type.String({ ...calendarDay, description: 'The first day of the week, in UTC.', examples: ['2026-03-02'] }),
  decisions: Decisions,
  medianWaitMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The median waiting time of the decided items, in milliseconds; absent without a decision made by this or a later release.',
    }),
  ),
  installations: Type.Object(
    { created: Count, deleted: Count },
    { description: 'Installations created and deleted in that week, including those of imports and deleted apps.' },
  ),
});

/** How a team of reviewers, and what they publish, is doing. */
export const Statistics = Type.Object(
  {
    madeAt: DateTime,
    waiting: Type.Object(
      {
        count: Type.Integer({ minimum: 0, maximum: statisticsLimits.waiting }),
        more: Type.Boolean({ description: `Whether more items wait than the ${statisticsLimits.waiting} counted.` }),
        oldestSince: Type.Optional(DateTime),
        medianSince: Type.Optional(
          Type.Unsafe<string>({
            ...DateTime,
            description:
              'The time since which the median item has waited; absent if the queue is empty or was not counted completely.',
          }),
        ),
      },
      { description: 'The review queue.' },
    ),
    weeks: Type.Array(Week, {
      minItems: statisticsLimits.weeks,
      maxItems: statisticsLimits.weeks,
      description: 'The last weeks up to the current one, oldest first.',
    }),
    growingApps: Type.Array(Type.Object({ id: AppId, name: Type.String(), created: Count, deleted: Count }), {
      maxItems: statisticsLimits.growingApps,
      description:
        'The apps with the highest net growth in installations (created minus deleted) in this week and the previous one.',
    }),
    webhooks: Type.Object(
      {
        failing: Type.Integer({ minimum: 0, description: 'Enabled webhooks whose last delivery failed.' }),
        disabled: Type.Integer({ minimum: 0, description: 'Webhooks that the registry disabled because they failed.' }),
      },
      { description: 'The number of webhooks that need attention.' },
    ),
  },
  { $id: 'Statistics', description: 'Statistics of reviews, installations and webhooks.' },
);
export type Statistics = Type.Static<typeof Statistics>;
