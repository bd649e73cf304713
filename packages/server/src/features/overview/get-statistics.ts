import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import { findFirstWaiting, findWaitingAt } from '../apps/review/review-queue-queries.ts';
import { countTroubledWebhooks } from '../webhooks/webhook-queries.ts';
import { countInstallationChanges, weeksCompared } from './count-installation-changes.ts';
import { type Statistics, statisticsLimits } from './overview.ts';
import { dayOf } from './record-daily-counts.ts';
import { reusedBriefly } from './reused-briefly.ts';
import { beginOfWeek, weekAt } from './week-queries.ts';
import { listWeeklyDecisions, listWeeklyWaits } from './weekly-decision-queries.ts';
import { listGrowingApps, listWeeklyInstallations } from './weekly-installation-queries.ts';

type Decisions = Statistics['weeks'][number]['decisions'];

const outcomes: Record<string, keyof Decisions> = {
  approve: 'approved',
  reject: 'rejected',
  'reject-change': 'changesRejected',
  revoke: 'revoked',
};

/** How reviews, installations and webhooks are doing, at most a minute old. */
export const getStatistics = reusedBriefly(async (registry: Registry): Promise<Statistics> => {
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
      monday: dayOf(beginOfWeek(number)),
      decisions: counts,
      ...(waited !== undefined && { medianWaitMs: waited }),
      installations: { created, deleted },
    };
  });
}
