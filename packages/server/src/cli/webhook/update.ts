import { Command } from 'commander';
import type { EventType } from '../../contract/event.ts';
import { updateWebhook } from '../../registry/webhooks/update-webhook.ts';
import { changeOptions } from '../change-options.ts';
import { clearable } from '../clearable.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { typeOption } from './type-option.ts';

interface Options {
  url?: string;
  name?: string | false;
  type?: EventType[];
  allTypes?: true;
}

const examples = [
  'app-registry webhook update webhook_01jq3w5n3kh7wt0b2x8q4p1e6f --url https://hooks.example.com/v2',
  'app-registry webhook update webhook_01jq3w5n3kh7wt0b2x8q4p1e6f --no-name --all-types',
];

export function webhookUpdateCommand(): Command {
  const command = new Command('update')
    .description('Update the given fields of a webhook. Pending deliveries go to the new URL too.')
    .argument('<id>', 'the webhook id')
    .option('--url <url>', 'where events are sent')
    .option('--name <name>', 'a name to identify it')
    .option('--no-name', 'remove the name')
    .addOption(typeOption('the event types to send from now on').conflicts('allTypes'))
    .option('--all-types', 'send events of every type');
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      registryAction<Options>((registry, { args: [id = ''], options, caller }) =>
        updateWebhook(registry, caller, { id, update: webhookUpdate(options) }),
      ),
    );
}

function webhookUpdate({ url, name, type, allTypes }: Options): object {
  return { url, name: clearable(name), types: allTypes ? null : type };
}
