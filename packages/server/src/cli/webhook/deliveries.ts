import { Command, Option } from 'commander';
import { deliveryStates } from '../../contract/webhook.ts';
import { listDeliveries } from '../../registry/webhooks/deliveries/list-deliveries.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  state?: (typeof deliveryStates)[number];
}

export function webhookDeliveriesCommand(): Command {
  const command = new Command('deliveries')
    .description('List the deliveries of a webhook, newest first, with their state and the last response.')
    .argument('<id>', 'the webhook id')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(deliveryStates));
  return pageOptions(command)
    .addHelpText('after', example('app-registry webhook deliveries webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --state failed'))
    .action(
      registryAction<Options>((registry, { args: [webhookId = ''], options: { state, cursor, limit } }) =>
        listDeliveries(registry, { webhookId, state, cursor, limit }),
      ),
    );
}
