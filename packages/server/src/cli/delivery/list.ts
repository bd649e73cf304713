import { Command } from 'commander';
import { deliveryStates } from '../../features/webhooks/webhook.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  state?: (typeof deliveryStates)[number];
}

const columns = ['id', 'state', 'eventType', 'attempts', 'response.status', 'createdAt'];

export function deliveryListCommand(): Command {
  const command = new Command('list')
    .description('List the deliveries of a webhook, newest first, with their state and the last response.')
    .argument('<id>', 'the webhook id')
    .addOption(choiceOption('--state <state>', 'only deliveries in this state', deliveryStates));
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry delivery list webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --state failed'))
    .action(
      operationAction<Options>((run, { args: [id = ''], options: { state, cursor, limit } }) =>
        run('listDeliveries', { params: { id }, query: { state, cursor, limit } }),
      ),
    );
}
