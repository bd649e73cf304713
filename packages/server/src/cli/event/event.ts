import { Command, Option } from 'commander';
import type { ContentPath } from '../../features/apps/app-content-fields.ts';
import {
  contentPaths,
  type EventPage,
  type EventQuery,
  feedWaitSecondsMax,
} from '../../features/events/event-query.ts';
import { pageLimits } from '../../kernel/page.ts';
import { operationAction } from '../operation/operation-action.ts';
import type { RunOperation } from '../operation/run-operation.ts';
import { example, wholeNumber } from '../options.ts';
import { listOptions, type PageOptions, pageOptions } from '../page-options.ts';
import { searchProgress } from '../progress/search-progress.ts';
import { eventArchiveCommand, eventRestoreCommand } from './archive.ts';

export function eventCommand(): Command {
  return new Command('event')
    .description('Read and archive the history of changes.')
    .addCommand(eventListCommand())
    .addCommand(eventReadFeedCommand())
    .addCommand(eventArchiveCommand())
    .addCommand(eventRestoreCommand());
}

interface ListOptions extends PageOptions {
  app?: string;
  actor?: string;
  request?: string;
  field?: ContentPath;
  contains?: string;
  types?: string;
  effectiveOnly?: true;
  about?: string;
  since?: string;
  until?: string;
  newestFirst?: true;
  workspaces?: true;
  actors?: true;
}

const questions = `
Common questions:
  Who set or removed a URL at a malicious host, in any app?
  $ app-registry event list --field oauthInfo.callbackUrl --contains evil.example
  Who changed the callback URL of an app, when, and what were the old and new values?
  $ app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --field oauthInfo.callbackUrl
  What was changed with a token, and in which workspaces are those apps installed?
  $ app-registry event list --actor token_01jq3w4m2je6vs9a1w7p3n0d5e --workspaces
  Which apps and workspaces were changed with a token, in summary?
  $ app-registry token list-changes token_01jq3w4m2je6vs9a1w7p3n0d5e

With --field, --contains, --types, --effective-only or --about, the command reads events until it finds --limit
changes or reaches the last event, which can take minutes for millions of events. It then shows how far it got, how to
continue, and which events are in archive files.
`;

/** The columns of events: the last one has what has changed. */
const eventColumns = ['timestamp', 'type', 'actor', 'appId', 'data'];

function eventListCommand(): Command {
  const command = new Command('list')
    .description(
      'List changes, oldest first by default: who, when, and the values before and after. Includes deleted objects.',
    )
    .option('--app <id>', 'only changes of this app and its installations')
    .option(
      '--actor <actor>',
      'only changes by this actor, exactly as events show it: a token id, command-line:NAME, an oidc: subject or maintenance',
    )
    .option('--request <id>', 'only changes by the request with this X-Request-Id')
    .addOption(new Option('--field <field>', 'search for changes of this content field').choices(contentPaths))
    .option(
      '--contains <text>',
      'search for changes that set or removed a value containing this text, regardless of case, in --field or in any content field',
    )
    .option('--types <types>', 'search for changes of these types, separated by commas')
    .option('--effective-only', 'search for changes of what a platform may act on (those with "effective")')
    .option(
      '--about <id>',
      'search for changes that concern or mention the object with this id: a developer, a workspace, a token …',
    )
    .option(
      '--since <time>',
      'only changes since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id',
    )
    .option('--until <time>', 'only changes before a UTC time such as 2026-03-01T09:30:00.000Z')
    .option('--newest-first', 'newest change first')
    .option(
      '--workspaces',
      'also list the workspaces where these apps are installed: for each app, the count and the first 100',
    )
    .option('--actors', 'also list the names of the actors');
  return pageOptions(command, eventColumns)
    .addHelpText('after', questions)
    .addHelpText('after', example('app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --newest-first'))
    .action(operationAction<ListOptions>((run, { options }) => listEventsOn(run, queryOf(options))));
}

function queryOf({
  app,
  request,
  actor,
  field,
  contains,
  types,
  effectiveOnly,
  about,
  since,
  until,
  newestFirst,
  workspaces,
  actors,
  cursor,
  limit,
}: ListOptions) {
  return {
    appId: app,
    actor,
    requestId: request,
    field,
    contains,
    types,
    effectiveOnly,
    about,
    since,
    until,
    newestFirst,
    workspaces,
    actors,
    cursor,
    limit,
  };
}

/** A query whose parameters may be undefined, as options are. */
type Query = { [Name in keyof EventQuery]?: EventQuery[Name] | undefined };

/**
 * A page of events. A page of a search may end before it is full: this goes on, showing its progress, until its
 * page is full or everything is searched.
 */
async function listEventsOn(run: RunOperation, query: Query): Promise<EventPage> {
  const { limit = pageLimits.default } = query;
  const progress = searchProgress('event list');
  try {
    let page = await run('listEvents', { query });
    while (page.searched) {
      const searched = progress.add(page.searched);
      page = { ...page, searched };
      if (page.nextCursor === undefined || page.items.length >= limit) break;
      const rest = { ...query, cursor: page.nextCursor, limit: limit - page.items.length };
      page = joined(page, await run('listEvents', { query: rest }));
    }
    return page;
  } finally {
    progress.end();
  }
}

/** Two pages as one, which has got as far as the second. */
function joined({ items, apps = [], actors = [] }: EventPage, next: EventPage): EventPage {
  const appsById = new Map([...apps, ...(next.apps ?? [])].map((app) => [app.appId, app]));
  const namesById = new Map([...actors, ...(next.actors ?? [])].map((one) => [one.actor, one]));
  return {
    ...next,
    items: [...items, ...next.items],
    ...(next.apps && { apps: [...appsById.values()] }),
    ...(next.actors && { actors: [...namesById.values()] }),
  };
}

interface FeedOptions {
  after?: string;
  wait?: number;
  types?: string;
  effectiveOnly?: true;
  app?: string;
  limit?: number;
}

function eventReadFeedCommand(): Command {
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
      operationAction<FeedOptions>((run, { options: { app: appId, after, wait, types, effectiveOnly, limit } }) =>
        run('readEventFeed', { query: { appId, after, wait, types, effectiveOnly, limit } }),
      ),
    );
}
