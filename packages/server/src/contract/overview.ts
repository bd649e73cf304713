import Type from 'typebox';
import { DateTime } from './text.ts';

const Count = Type.Integer({ minimum: 0 });

const AppCounts = Type.Object(
  { draft: Count, awaitingReview: Count, approved: Count, rejected: Count },
  { description: 'The number of apps in each review status.' },
);
export type AppCounts = Type.Static<typeof AppCounts>;

/** The number of days in an overview, and the maximum number of apps that it counts in the review queue. */
export const overviewLimits = { days: 90, awaiting: 1_000 };

/** The counts of one day. */
const Day = Type.Object({
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'In UTC.', examples: ['2026-03-01'] }),
  apps: AppCounts,
  installations: Count,
});

/** The current counts of a registry, and those of past days. */
export const Overview = Type.Object(
  {
    countedAt: Type.Unsafe<string>({ ...DateTime, description: 'When `apps` and `installations` were counted.' }),
    apps: AppCounts,
    installations: Type.Integer({ minimum: 0, description: 'Installations of all apps, enabled and disabled.' }),
    review: Type.Object(
      {
        awaiting: Type.Integer({ minimum: 0, maximum: overviewLimits.awaiting }),
        more: Type.Boolean({
          description: `Whether more await review than the ${overviewLimits.awaiting} counted.`,
        }),
        oldestWaitingSince: Type.Optional(
          Type.Unsafe<string>({
            ...DateTime,
            description: 'The `waitingSince` of the first in the review queue; absent when the queue is empty.',
          }),
        ),
      },
      { description: 'What is in the review queue now: submissions, changes and transfers.' },
    ),
    days: Type.Array(Day, {
      maxItems: overviewLimits.days,
      description: 'The last counts of each day, oldest first, up to today. Days without a running server are absent.',
    }),
  },
  { $id: 'Overview', description: 'The current counts of the registry, and those of past days.' },
);
export type Overview = Type.Static<typeof Overview>;
