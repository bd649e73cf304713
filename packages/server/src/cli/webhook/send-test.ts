import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function webhookTestCommand(): Command {
  const command = new Command('test')
    .description(
      'Queue a webhook.tested event for one webhook. Prints the delivery; a server sends it, and "delivery list" shows the result.',
    )
    .argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry webhook test webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('testWebhook', { params: { id } })));
}
