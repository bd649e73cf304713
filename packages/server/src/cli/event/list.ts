import { Command, Option } from 'commander';
import type { ContentPath } from '../../contract/app-content-fields.ts';
import type { Event } from '../../contract/event.ts';
import { contentPaths, type EventPage } from '../../contract/event-query.ts';
import { listEvents } from '../../registry/events/list-events.ts';
import { describeOnOneLine } from '../describe.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  app?: string;
  actor?: string;
  request?: string;
  field?: ContentPath;
  since?: string;
  newestFirst?: true;
  workspaces?: true;
}

const questions = `
Two questions:
  Who changed the callback address of an app, from what, to what, when, with which token?
  $ app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --field oauthInfo.callbackUrl
  What did a token change, and which workspaces have those apps?
  $ app-registry event list --actor token_01jq3w4m2jg6vs9a1w7p3n0d5e --workspaces
`;

export function eventListCommand(): Command {
  const command = new Command('list')
    .description(
      'List the changes, or those of an app, an actor or a request, oldest first unless told otherwise: who, when, before and after. Also of what was deleted.',
    )
    .option('--app <id>', 'of this app, and of its installations')
    .option('--actor <actor>', 'by this token, by its id; command-line; upkeep; or an oidc: subject as events tell it')
    .option('--request <id>', 'by the request that was answered with this X-Request-Id')
    .addOption(
      new Option('--field <field>', 'what gave or changed this of the content of the app; with --app').choices(
        contentPaths,
      ),
    )
    .option('--since <time>', 'recorded since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id')
    .option('--newest-first', 'the latest change first')
    .option(
      '--workspaces',
      'tell too which workspaces have the apps of these events: of each app how many, and the first 100',
    );
  return pageOptions(command)
    .addHelpText('after', questions)
    .addHelpText('after', example('app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --newest-first'))
    .action(
      registryAction<Options, EventPage>(
        (registry, { options }) => listEvents(registry, queryOf(options)),
        ({ items, ...page }) => ({ items: items.map(eventForPerson), ...page }),
      ),
    );
}

function queryOf({ app, request, actor, field, since, newestFirst, workspaces, cursor, limit }: Options): object {
  return { appId: app, actor, requestId: request, field, since, newestFirst, workspaces, cursor, limit };
}

/** What an event tells, each part of it on one line. */
function eventForPerson({ data, ...event }: Event): object {
  const parts = Object.entries(data).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.join(', ') || 'nothing' : describeOnOneLine(part),
  ]);
  return { ...event, ...Object.fromEntries(parts) };
}
