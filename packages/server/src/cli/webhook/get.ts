import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function webhookGetCommand(): Command {
  return new Command('get')
    .description('Show a webhook and whether its deliveries fail. Its secret is not shown.')
    .argument('<id>', 'the webhook id')
    .addHelpText('after', example('app-registry webhook get webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('getWebhook', { params: { id } })));
}
