import { Command, Option } from 'commander';
import type { ContentPath } from '../../contract/app-content-fields.ts';
import { contentPaths } from '../../contract/event-query.ts';
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
  about?: string;
  since?: string;
  until?: string;
  newestFirst?: true;
  workspaces?: true;
  actors?: true;
}

const questions = `
Common questions:
  Who set an address at a host that has turned out to be hostile, in any app, and who removed it?
  $ app-registry event list --field oauthInfo.callbackUrl --contains evil.example
  Who changed the callback URL of an app, from what, to what, when, with which token?
  $ app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --field oauthInfo.callbackUrl
  What did a token change, and which workspaces have those apps?
  $ app-registry event list --actor token_01jq3w4m2je6vs9a1w7p3n0d5e --workspaces
  Which apps and workspaces did a token touch, in short?
  $ app-registry token changes token_01jq3w4m2je6vs9a1w7p3n0d5e

With --field, --contains, --types or --about, it reads events until it has found --limit changes or everything is searched, which can take
minutes for millions of events. It then says how far it got, how to go on, and which events are in archive files.
`;

/** The columns of events: the last one has what has changed. */
export const eventColumns = ['timestamp', 'type', 'actor', 'appId', 'data'];

export function eventListCommand(): Command {
  const command = new Command('list')
    .description(
      'List all changes, or those of an app, an actor or a request, oldest first by default: who, when, before and after. Includes deleted objects.',
    )
    .option('--app <id>', 'changes of this app and its installations')
    .option(
      '--actor <actor>',
      'changes by this token id, command-line:NAME, upkeep or oidc: subject, exactly as events show it',
    )
    .option('--request <id>', 'changes by the request with this X-Request-Id')
    .addOption(
      new Option('--field <field>', 'search for changes of this content field, of one app or of all').choices(
        contentPaths,
      ),
    )
    .option(
      '--contains <text>',
      'search for changes that set or removed a value with this text, regardless of case: of --field, or of any content field',
    )
    .option('--types <types>', 'search for changes of these types, separated by commas')
    .option(
      '--about <id>',
      'search for changes of the object with this id, and those whose values name it: a developer, a workspace, a token …',
    )
    .option('--since <time>', 'changes since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id')
    .option('--until <time>', 'changes before a UTC time such as 2026-03-01T09:30:00.000Z')
    .option('--newest-first', 'newest change first')
    .option(
      '--workspaces',
      'also list the workspaces of the apps in these events: for each app the count and the first 100',
    )
    .option('--actors', 'also list the names of the actors in these events');
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
