import { Command } from 'commander';
import type { Overview } from '../features/overview/overview.ts';
import type { Statistics } from '../features/overview/review-statistics.ts';
import { operationAction } from './operation/operation-action.ts';
import { example } from './options.ts';

export function overviewCommand(): Command {
  return new Command('overview')
    .description('Show the number of apps and installations, the review queue and daily counts.')
    .addHelpText('after', example('app-registry overview'))
    .action(operationAction((run) => run('getOverview'), readableOverview));
}

/** One line per day. */
function readableOverview({ days, ...overview }: Overview): object {
  return { ...overview, days: Object.fromEntries(days.map((day) => [day.date, lineOf(day)])) };
}

function lineOf({ apps, installations }: Overview['days'][number]): string {
  const all = Object.values(apps).reduce((sum, count) => sum + count, 0);
  return `${all} apps, ${installations} installations`;
}

export function statisticsCommand(): Command {
  return new Command('statistics')
    .description('Show weekly decisions and installations, the review queue, and the fastest-growing apps.')
    .addHelpText('after', example('app-registry statistics'))
    .action(operationAction((run) => run('getStatistics'), readableStatistics));
}

/** One line per week. */
function readableStatistics({ weeks, ...statistics }: Statistics): object {
  return { ...statistics, weeks: Object.fromEntries(weeks.map((week) => [week.monday, lineOfWeek(week)])) };
}

function lineOfWeek({ decisions, medianWaitMs, installations }: Statistics['weeks'][number]): string {
  const { approved, rejected, changesRejected, revoked } = decisions;
  const waited = medianWaitMs === undefined ? '' : `, after ${(medianWaitMs / 3_600_000).toFixed(1)} hours (median)`;
  return `${approved} approved, ${rejected + changesRejected} rejected, ${revoked} revoked${waited}; ${installations.created} installed, ${installations.deleted} removed`;
}
