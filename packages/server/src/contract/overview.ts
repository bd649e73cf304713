import Type from 'typebox';
import { DateTime } from './text.ts';

const Count = Type.Integer({ minimum: 0 });

const AppCounts = Type.Object(
  { draft: Count, awaitingReview: Count, approved: Count, rejected: Count },
  { description: 'How many apps are in each status of review.' },
);
export type AppCounts = Type.Static<typeof AppCounts>;

/** How many days an overview goes back, and how many apps of the queue it counts. */
export const overviewLimits = { days: 90, awaiting: 1_000 };

/** What was counted on one day. */
const Day = Type.Object({
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'In UTC.', examples: ['2026-03-01'] }),
  apps: AppCounts,
  installations: Count,
});

/** How a registry stands, and how it came there. */
export const Overview = Type.Object(
  {
    countedAt: Type.Unsafe<string>({ ...DateTime, description: 'When `apps` and `installations` were counted.' }),
    apps: AppCounts,
    installations: Type.Integer({ minimum: 0, description: 'Of all apps, enabled and disabled.' }),
    review: Type.Object(
      {
        awaiting: Type.Integer({ minimum: 0, maximum: overviewLimits.awaiting }),
        more: Type.Boolean({ description: `Whether more await review than the ${overviewLimits.awaiting} counted.` }),
        oldestSubmittedAt: Type.Optional(
          Type.Unsafe<string>({
            ...DateTime,
            description: 'Since when the first of the queue waits, as its `submittedAt` tells; absent when none does.',
          }),
        ),
      },
      { description: 'What awaits review at this moment.' },
    ),
    days: Type.Array(Day, {
      maxItems: overviewLimits.days,
      description:
        'Oldest first, to today; each as it was counted last that day. A day on which no server has run is absent.',
    }),
  },
  { $id: 'Overview', description: 'How the registry stands, and how it came there.' },
);
export type Overview = Type.Static<typeof Overview>;
