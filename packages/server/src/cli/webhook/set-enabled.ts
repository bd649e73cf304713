import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { setWebhookEnabled } from '../../registry/webhooks/set-webhook-enabled.ts';
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
  return new Command(name)
    .argument('<id>', 'the webhook id')
    .addHelpText('after', example(`app-registry webhook ${name} webhook_01jq3w5n3kh7wt0b2x8q4p1e6f`))
    .action(
      registryAction((registry, { args: [id = ''] }) => setWebhookEnabled(registry, commandLine, { id, enabled })),
    );
}
