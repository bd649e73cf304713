import Type from 'typebox';
import { AppId } from '../../kernel/ids.ts';
import { operation } from '../../kernel/operation.ts';
import { type Registry, reusedBriefly } from '../../kernel/registry.ts';
import { DateTime, dateTime } from '../../kernel/text.ts';
import { findFirstWaiting, findWaitingAt } from '../apps/review/review-queries.ts';
import { countTroubledWebhooks } from '../webhooks/webhook-queries.ts';
import { countInstallationChanges, weeksCompared, weeksShown } from './count-installation-changes.ts';
import { utcDay } from './daily-counts.ts';
import {
  beginOfWeek,
  listGrowingApps,
  listWeeklyDecisions,
  listWeeklyInstallations,
  listWeeklyWaits,
  weekAt,
} from './overview-queries.ts';

export const Count = Type.Integer({ minimum: 0 });

export const calendarDay = { pattern: '^\\d{4}-\\d\\d-\\d\\d$' };

/** How many weeks statistics have, and how many apps they name and count at most. */
const statisticsLimits = { weeks: weeksShown, growingApps: 5, waiting: 100_000 };

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
const Statistics = Type.Object(
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

export const getStatistics = operation({
  id: 'getStatistics',
  method: 'GET',
  path: '/operator/v1/statistics',
  summary: 'Get statistics of reviews, installations and webhooks',
  description:
    'Returns the review queue with its median waiting time and, for each of the last 12 weeks: decisions by outcome, their median waiting time, and installations created and deleted. At most a minute old, as `madeAt` says.',
  scope: 'read',
  response: Statistics,
  command: {
    name: 'statistics get',
    description: 'Show weekly decisions and installations, the review queue, and the fastest-growing apps.',
    // One line per week.
    readable: ({ weeks, ...statistics }) => ({
      ...statistics,
      weeks: Object.fromEntries(weeks.map((week) => [week.monday, lineOf(week)])),
    }),
    examples: ['app-registry statistics get'],
  },
  run: ({ registry }) => recentStatistics(registry),
});

function lineOf({ decisions, medianWaitMs, installations }: Statistics['weeks'][number]): string {
  const { approved, rejected, changesRejected, revoked } = decisions;
  const waited = medianWaitMs === undefined ? '' : `, after ${(medianWaitMs / 3_600_000).toFixed(1)} hours (median)`;
  return `${approved} approved, ${rejected + changesRejected} rejected, ${revoked} revoked${waited}; ${installations.created} installed, ${installations.deleted} removed`;
}

const recentStatistics = reusedBriefly(async (registry: Registry): Promise<Statistics> => {
  await countInstallationChanges(registry);
  const { storage, now } = registry;
  const { reader } = storage;
  const at = now();
  const thisWeek = weekAt(at);
  const [waiting, weeks, growingApps, webhooks] = await Promise.all([
    waitingNow(registry),
    listWeeks(registry, thisWeek),
    listGrowingApps(reader, { fromWeek: thisWeek - weeksCompared + 1, limit: statisticsLimits.growingApps }),
    countTroubledWebhooks(reader, {}),
  ]);
  const { failing = 0, disabled = 0 } = webhooks ?? {};
  return { madeAt: dateTime(at), waiting, weeks, growingApps, webhooks: { failing, disabled } };
});

async function waitingNow({ storage: { reader } }: Registry): Promise<Statistics['waiting']> {
  const { waiting: countMax } = statisticsLimits;
  const first = await findFirstWaiting(reader, { countMax: countMax + 1 });
  if (!first) return { count: 0, more: false };
  const count = first.waiting ?? 0;
  const more = count > countMax;
  const median = more ? null : await findWaitingAt(reader, { place: Math.floor((count - 1) / 2) });
  return {
    count: Math.min(count, countMax),
    more,
    oldestSince: dateTime(first.waiting_since),
    ...(median && { medianSince: dateTime(median.waiting_since) }),
  };
}

type Decisions = Statistics['weeks'][number]['decisions'];

const outcomes: Record<string, keyof Decisions> = {
  approve: 'approved',
  reject: 'rejected',
  'reject-change': 'changesRejected',
  revoke: 'revoked',
};

async function listWeeks({ storage: { reader } }: Registry, thisWeek: number): Promise<Statistics['weeks']> {
  const numbers = Array.from({ length: statisticsLimits.weeks }, (_, before) => thisWeek - before).reverse();
  const since = beginOfWeek(numbers[0] ?? thisWeek);
  const [decisions, waits, installations] = await Promise.all([
    listWeeklyDecisions(reader, { since }),
    listWeeklyWaits(reader, { since }),
    listWeeklyInstallations(reader, numbers),
  ]);
  const waitOf = new Map(waits.map(({ week, waited }) => [week, waited]));
  const changesOf = new Map(installations.map((row) => [row.week, row]));
  return numbers.map((number) => {
    const counts: Decisions = { approved: 0, rejected: 0, changesRejected: 0, revoked: 0 };
    for (const { week, step, decisions: count } of decisions) {
      const outcome = outcomes[step];
      if (week === number && outcome) counts[outcome] += count;
    }
    const { created = 0, deleted = 0 } = changesOf.get(number) ?? {};
    const waited = waitOf.get(number);
    return {
      monday: utcDay(beginOfWeek(number)),
      decisions: counts,
      ...(waited !== undefined && { medianWaitMs: waited }),
      installations: { created, deleted },
    };
  });
}
