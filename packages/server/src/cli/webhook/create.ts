import { Command } from 'commander';
import type { EventType } from '../../contract/event.ts';
import { createWebhook } from '../../registry/webhooks/create-webhook.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { typeOption } from './type-option.ts';

interface Options {
  url: string;
  name?: string;
  type?: EventType[];
}

const examples = [
  'app-registry webhook create --url https://hooks.example.com/app-registry --name "Billing"',
  'app-registry webhook create --url https://hooks.example.com/reviews --type app.approved app.rejected app.revoked',
];

export function webhookCreateCommand(): Command {
  const command = new Command('create')
    .description(
      'Create a webhook: new events are sent to its URL, signed per Standard Webhooks. The secret is printed once.',
    )
    .requiredOption('--url <url>', 'where events are sent by POST; may contain a secret')
    .option('--name <name>', 'a name to identify it')
    .addOption(typeOption('the event types to send; give several or repeat the option (default: all)'));
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      registryAction<Options>((registry, { options: { url, name, type: types }, caller }) =>
        createWebhook(registry, caller, { url, name, types }),
      ),
    );
}
