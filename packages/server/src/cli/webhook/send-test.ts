import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { testWebhook } from '../../registry/webhooks/test-webhook.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookTestCommand(): Command {
  return new Command('test')
    .description(
      'Send a webhook.tested event to one webhook. Prints the delivery, which a server sends. See its result with "webhook deliveries".',
    )
    .argument('<id>', 'the webhook id')
    .addHelpText('after', example('app-registry webhook test webhook_01jq3w5n3kh7wt0b2x8q4p1e6f'))
    .action(registryAction((registry, { args: [id = ''] }) => testWebhook(registry, commandLine, id)));
}
