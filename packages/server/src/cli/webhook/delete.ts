import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function webhookDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete a webhook and all its deliveries, including pending ones. Prints the deleted webhook.')
    .argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry webhook delete webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('deleteWebhook', { params: { id } })));
}
