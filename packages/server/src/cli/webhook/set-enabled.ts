import { Command } from 'commander';
import { setWebhookEnabled } from '../../registry/webhooks/set-webhook-enabled.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookEnableCommand(): Command {
  return setEnabled('enable', true).description(
    'Enable a webhook. Deliveries that were pending when it was disabled are sent; events recorded since are not.',
  );
}

export function webhookDisableCommand(): Command {
  return setEnabled('disable', false).description('Disable a webhook without deleting it. Nothing more is sent to it.');
}

function setEnabled(name: string, enabled: boolean): Command {
  const command = new Command(name).argument('<id>', 'the webhook id');
  return changeOptions(command)
    .addHelpText('after', example(`app-registry webhook ${name} webhook_01jq3w5n3kf7wt0b2x8q4p1e6f`))
    .action(
      registryAction((registry, { args: [id = ''], caller }) => setWebhookEnabled(registry, caller, { id, enabled })),
    );
}
