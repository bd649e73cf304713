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
Common questions:
  Who changed the callback URL of an app, from what, to what, when, with which token?
  $ app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --field oauthInfo.callbackUrl
  What did a token change, and which workspaces have those apps?
  $ app-registry event list --actor token_01jq3w4m2jg6vs9a1w7p3n0d5e --workspaces
`;

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
      new Option('--field <field>', 'changes that set this content field; requires --app').choices(contentPaths),
    )
    .option('--since <time>', 'changes since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id')
    .option('--newest-first', 'newest change first')
    .option(
      '--workspaces',
      'also list the workspaces of the apps in these events: for each app the count and the first 100',
    );
  return pageOptions(command)
    .addHelpText('after', questions)
    .addHelpText('after', example('app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --newest-first'))
    .action(
      registryAction<Options, EventPage>(
        (registry, { options }) => listEvents(registry, queryOf(options)),
        ({ items, ...page }) => ({ items: items.map(readableEvent), ...page }),
      ),
    );
}

function queryOf({ app, request, actor, field, since, newestFirst, workspaces, cursor, limit }: Options): object {
  return { appId: app, actor, requestId: request, field, since, newestFirst, workspaces, cursor, limit };
}

/** An event with each part of its data on one line. */
function readableEvent({ data, ...event }: Event): object {
  const parts = Object.entries(data).map(([name, part]) => [
    name,
    Array.isArray(part) ? part.join(', ') || 'nothing' : describeOnOneLine(part),
  ]);
  return { ...event, ...Object.fromEntries(parts) };
}
