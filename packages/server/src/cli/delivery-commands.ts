import { Command, Option } from 'commander';
import { deliveryOperations } from '../features/webhooks/deliveries/deliveries.ts';
import { deliveryStates } from '../features/webhooks/deliveries/delivery.ts';
import { commandGroup } from './derived-commands.ts';
import { operationAction } from './operation/operation-action.ts';
import { example, requireOneOf } from './options.ts';

export function deliveryCommand(): Command {
  const { listDeliveries, getDelivery } = deliveryOperations;
  const group = new Command('delivery').description('Show and repeat the deliveries of events to webhooks.');
  return commandGroup(group, { listDeliveries, getDelivery, redeliver: deliveryRedeliverCommand() });
}

interface Options {
  webhook?: string;
  since?: string;
  state?: (typeof deliveryStates)[number];
}

const examples = [
  'app-registry delivery redeliver delivery_01jq3w6p4me8xv1c3y9r5q2f7g',
  'app-registry delivery redeliver --webhook webhook_01jq3w5n3kf7wt0b2x8q4p1e6f --since 2026-03-01T09:30:00Z --state failed',
];

function deliveryRedeliverCommand(): Command {
  return new Command('redeliver')
    .description(
      'Redeliver one delivery, or all deliveries of a webhook since a time. They are sent immediately, with the full number of attempts.',
    )
    .argument('[id]', 'the delivery id')
    .option('--webhook <id>', 'instead of an id: redeliver the deliveries of this webhook')
    .option('--since <time>', 'with --webhook: only deliveries queued at this UTC time or later')
    .addOption(new Option('--state <state>', 'with --webhook: only deliveries in this state').choices(deliveryStates))
    .addHelpText('after', example(...examples))
    .hook('preAction', requireOneOf('webhook'))
    .hook('preAction', (command) => {
      const { webhook, since, state } = command.opts<Options>();
      if ((webhook === undefined) !== (since === undefined))
        command.error('error: --webhook and --since must be used together');
      if (webhook === undefined && state !== undefined) command.error('error: --state requires --webhook');
    })
    .action(
      operationAction<Options>((run, { args: [id = ''], options: { webhook, since, state } }) =>
        webhook === undefined
          ? run('redeliver', { params: { id } })
          : run('redeliverSince', { params: { id: webhook }, body: { since, ...(state && { state }) } }),
      ),
    );
}
