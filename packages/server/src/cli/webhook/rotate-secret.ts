import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function webhookRotateSecretCommand(): Command {
  const command = new Command('rotate-secret')
    .description(
      'Rotate the secret of a webhook. The new secret is printed once; the previous one stays valid for 24 hours.',
    )
    .argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry webhook rotate-secret webhook_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('rotateWebhookSecret', { params: { id } })));
}
