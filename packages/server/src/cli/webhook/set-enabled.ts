import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function webhookEnableCommand(): Command {
  return setEnabled('enable', 'enableWebhook').description(
    'Enable a webhook. Sends the deliveries that were pending when it was disabled, but no events recorded since.',
  );
}

export function webhookDisableCommand(): Command {
  return setEnabled('disable', 'disableWebhook').description(
    'Disable a webhook without deleting it. It receives no further events.',
  );
}

function setEnabled(name: string, operation: 'enableWebhook' | 'disableWebhook'): Command {
  const command = new Command(name).argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example(`app-registry webhook ${name} webhook_01jq3w5n3kf7wt0b2x8q4p1e6f`))
    .action(operationAction((run, { args: [id = ''] }) => run(operation, { params: { id } })));
}
