import { Command } from 'commander';
import { deleteWebhook } from '../../registry/webhooks/delete-webhook.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete a webhook and all its deliveries, including pending ones. Prints the deleted webhook.')
    .argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry webhook delete webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(registryAction((registry, { args: [id = ''], caller }) => deleteWebhook(registry, caller, id)));
}
