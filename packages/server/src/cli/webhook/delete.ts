import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { deleteWebhook } from '../../registry/webhooks/delete-webhook.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookDeleteCommand(): Command {
  return new Command('delete')
    .description('Delete a webhook and all its deliveries, including pending ones. Prints the deleted webhook.')
    .argument('<id>', 'the webhook id')
    .addHelpText('after', example('app-registry webhook delete webhook_01jq3w5n3kh7wt0b2x8q4p1e6f'))
    .action(registryAction((registry, { args: [id = ''] }) => deleteWebhook(registry, commandLine, id)));
}
