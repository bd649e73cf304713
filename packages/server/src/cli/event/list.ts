import { Command, Option } from 'commander';
import type { ContentPath } from '../../features/apps/app-content-fields.ts';
import { contentPaths } from '../../features/events/event-query.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { listEventsOn } from './list-events-on.ts';

interface Options extends PageOptions {
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
export const eventColumns = ['timestamp', 'type', 'actor', 'appId', 'data'];

export function eventListCommand(): Command {
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
    .action(operationAction<Options>((run, { options }) => listEventsOn(run, queryOf(options))));
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
}: Options) {
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
