import { Command } from 'commander';
import type { Overview } from '../contract/overview.ts';
import { showOverview } from '../registry/overview/show-overview.ts';
import { example } from './options.ts';
import { registryAction } from './registry-action.ts';

export function overviewCommand(): Command {
  return new Command('overview')
    .description('Show the number of apps and installations, the review queue and the daily counts.')
    .addHelpText('after', example('app-registry overview'))
    .action(registryAction((registry) => showOverview(registry), readableOverview));
}

/** One line per day. */
function readableOverview({ days, ...overview }: Overview): object {
  return { ...overview, days: Object.fromEntries(days.map((day) => [day.date, lineOf(day)])) };
}

function lineOf({ apps, installations }: Overview['days'][number]): string {
  const all = Object.values(apps).reduce((sum, count) => sum + count, 0);
  return `${all} apps, ${installations} installations`;
}
