import { Command } from 'commander';
import { showDelivery } from '../../registry/webhooks/deliveries/show-delivery.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookDeliveryCommand(): Command {
  return new Command('delivery')
    .description('Show a delivery with the request and the response of its last attempt, without secrets.')
    .argument('<id>', 'the delivery id')
    .addHelpText('after', example('app-registry webhook delivery delivery_01jq3w6p4me8xv1c3y9r5q2f7g'))
    .action(registryAction((registry, { args: [id = ''] }) => showDelivery(registry, id)));
}
