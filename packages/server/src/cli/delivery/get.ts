import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function deliveryGetCommand(): Command {
  return new Command('get')
    .description('Show a delivery with the request and the response of its last attempt, without secrets.')
    .argument('<id>', 'the delivery id')
    .addHelpText('after', example('app-registry delivery get delivery_01jq3w6p4me8xv1c3y9r5q2f7g'))
    .action(operationAction((run, { args: [id = ''] }) => run('getDelivery', { params: { id } })));
}
