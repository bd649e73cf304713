import { Command } from 'commander';
import type { EventType } from '../../features/events/event.ts';
import { defaultRequestsAtOnce } from '../../features/webhooks/webhook.ts';
import { webhookOperations } from '../../features/webhooks/webhooks.ts';
import { changeOptions } from '../change-options.ts';
import { clearable } from '../clearable.ts';
import { commandGroup } from '../derived-commands.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, wholeNumber } from '../options.ts';
import { webhookListenCommand } from './listen.ts';
import { typeOption } from './type-option.ts';

export function webhookCommand(): Command {
  const { createWebhook, listWebhooks, getWebhook, rotateWebhookSecret, ...others } = webhookOperations;
  return commandGroup(new Command('webhook').description('Manage webhooks.'), {
    ...{ createWebhook, listWebhooks, getWebhook, update: webhookUpdateCommand(), rotateWebhookSecret },
    enableWebhook: others.enableWebhook,
    disableWebhook: others.disableWebhook,
    deleteWebhook: others.deleteWebhook,
    testWebhook: others.testWebhook,
    listen: webhookListenCommand(),
  });
}

interface Options {
  url?: string;
  name?: string | false;
  type?: EventType[];
  allTypes?: true;
  effectiveOnly?: boolean;
  batch?: boolean;
  requestsAtOnce?: number | false;
}

const examples = [
  'app-registry webhook update webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --url https://hooks.example.com/v2',
  'app-registry webhook update webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --no-name --all-types',
];

function webhookUpdateCommand(): Command {
  const command = new Command('update')
    .description('Update the given fields of a webhook. Pending deliveries also go to the new URL.')
    .argument('<id>', 'the webhook id')
    .option('--url <url>', 'the URL that receives events')
    .option('--name <name>', 'a name to identify it')
    .option('--no-name', 'remove the name')
    .addOption(typeOption('the event types to send from now on').conflicts('allTypes'))
    .option('--all-types', 'send events of every type')
    .option('--effective-only', 'send only events that change what a platform may act on (those with "effective")')
    .option('--no-effective-only', 'send all events of the types')
    .option('--batch', 'send events in batches: up to 100 events of one app in a request, as an array')
    .option('--no-batch', 'send each event in its own request')
    .option(
      '--requests-at-once <number>',
      `the maximum number of concurrent requests from each server process, 1 to 200 (default: ${defaultRequestsAtOnce})`,
      wholeNumber,
    )
    .option('--no-requests-at-once', 'reset the number of concurrent requests to the default');
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { args: [id = ''], options }) =>
        run('updateWebhook', { params: { id }, body: webhookUpdate(options) }),
      ),
    );
}

function webhookUpdate({ url, name, type, allTypes, effectiveOnly, batch, requestsAtOnce }: Options): object {
  return {
    url,
    name: clearable(name),
    types: allTypes ? null : type,
    effectiveOnly,
    batch,
    requestsAtOnce: requestsAtOnce === false ? null : requestsAtOnce,
  };
}
