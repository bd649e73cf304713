import { Command } from 'commander';
import { deliveryGetCommand } from './get.ts';
import { deliveryListCommand } from './list.ts';
import { deliveryRedeliverCommand } from './redeliver.ts';

export function deliveryCommand(): Command {
  return new Command('delivery')
    .description('Show and repeat the deliveries of events to webhooks.')
    .addCommand(deliveryListCommand())
    .addCommand(deliveryGetCommand())
    .addCommand(deliveryRedeliverCommand());
}
