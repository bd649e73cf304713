import { Command } from 'commander';
import { feedWaitSecondsMax } from '../../contract/event-query.ts';
import { pageLimits } from '../../contract/page.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, wholeNumber } from '../options.ts';
import { listOptions } from '../page-options.ts';
import { eventColumns } from './list.ts';

interface Options {
  after?: string;
  wait?: number;
  types?: string;
  app?: string;
  limit?: number;
}

export function eventFeedCommand(): Command {
  const command = new Command('feed')
    .description(
      'Read the next events. Going on from nextCursor misses none, also of changes that take long. The history by app, actor, request or text is "event list".',
    )
    .option(
      '--after <cursor>',
      'the nextCursor of the command before; or "start", "now" or a UTC time such as 2026-03-01T09:30:00Z (default: start)',
    )
    .option('--wait <seconds>', `wait for an event, for up to ${feedWaitSecondsMax} seconds`, wholeNumber)
    .option('--types <types>', 'events of these types alone, separated by commas')
    .option('--app <id>', 'events of this app and its installations alone')
    .option(
      '--limit <number>',
      `the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
      wholeNumber,
    );
  return listOptions(command, eventColumns)
    .addHelpText('after', example('app-registry event feed --after now --wait 30 --json'))
    .action(
      operationAction<Options>((run, { options: { app: appId, after, wait, types, limit } }) =>
        run('readEventFeed', { query: { appId, after, wait, types, limit } }),
      ),
    );
}
