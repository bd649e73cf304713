import { Command } from 'commander';
import { feedWaitSecondsMax } from '../../features/events/event-query.ts';
import { pageLimits } from '../../kernel/page-parameters.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, wholeNumber } from '../options.ts';
import { listOptions } from '../page-options.ts';
import { eventColumns } from './list.ts';

interface Options {
  after?: string;
  wait?: number;
  types?: string;
  effectiveOnly?: true;
  app?: string;
  limit?: number;
}

export function eventReadFeedCommand(): Command {
  const command = new Command('read-feed')
    .description(
      'Read the next events. Continuing from nextCursor misses no event, not even of slow transactions. To search the history by app, actor, request or text, use "event list".',
    )
    .option(
      '--after <cursor>',
      'the nextCursor of the previous call, "start", "now", or a UTC time such as 2026-03-01T09:30:00Z (default: start)',
    )
    .option('--wait <seconds>', `wait up to this long for an event, at most ${feedWaitSecondsMax} seconds`, wholeNumber)
    .option('--types <types>', 'only events of these types, separated by commas')
    .option('--effective-only', 'only events that change what a platform may act on (those with "effective")')
    .option('--app <id>', 'only events of this app and its installations')
    .option(
      '--limit <number>',
      `the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
      wholeNumber,
    );
  return listOptions(command, eventColumns)
    .addHelpText('after', example('app-registry event read-feed --after now --wait 30 --json'))
    .action(
      operationAction<Options>((run, { options: { app: appId, after, wait, types, effectiveOnly, limit } }) =>
        run('readEventFeed', { query: { appId, after, wait, types, effectiveOnly, limit } }),
      ),
    );
}
