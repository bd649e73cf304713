import { Command } from 'commander';
import { type EventFeedPage, feedWaitSecondsMax } from '../../contract/event-query.ts';
import { pageLimits } from '../../contract/page.ts';
import { NewEvents } from '../../registry/events/feed/new-events.ts';
import { readEventFeed } from '../../registry/events/feed/read-event-feed.ts';
import { example, wholeNumber } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { readableEvent } from './list.ts';

interface Options {
  after?: string;
  wait?: number;
  types?: string;
  app?: string;
  limit?: number;
}

export function eventFeedCommand(): Command {
  return new Command('feed')
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
    )
    .addHelpText('after', example('app-registry event feed --after now --wait 30 --json'))
    .action(
      registryAction<Options, EventFeedPage>(
        async (registry, { options: { app, after, wait, types, limit } }) => {
          const newEvents = new NewEvents(registry.storage);
          const { signal } = new AbortController();
          return readEventFeed(registry, { appId: app, after, wait, types, limit }, { newEvents, signal });
        },
        ({ items, ...page }) => ({ items: items.map(readableEvent), ...page }),
      ),
    );
}
