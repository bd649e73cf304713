import { Command } from 'commander';
import { webhookCreateCommand } from './create.ts';
import { webhookDeleteCommand } from './delete.ts';
import { webhookDeliveriesCommand } from './deliveries.ts';
import { webhookDeliveryCommand } from './delivery.ts';
import { webhookListCommand } from './list.ts';
import { webhookListenCommand } from './listen.ts';
import { webhookRedeliverCommand } from './redeliver.ts';
import { webhookRotateCommand } from './rotate.ts';
import { webhookTestCommand } from './send-test.ts';
import { webhookDisableCommand, webhookEnableCommand } from './set-enabled.ts';
import { webhookShowCommand } from './show.ts';
import { webhookUpdateCommand } from './update.ts';

export function webhookCommand(): Command {
  return new Command('webhook')
    .description('Manage webhooks and their deliveries.')
    .addCommand(webhookCreateCommand())
    .addCommand(webhookListCommand())
    .addCommand(webhookShowCommand())
    .addCommand(webhookUpdateCommand())
    .addCommand(webhookRotateCommand())
    .addCommand(webhookEnableCommand())
    .addCommand(webhookDisableCommand())
    .addCommand(webhookDeleteCommand())
    .addCommand(webhookTestCommand())
    .addCommand(webhookListenCommand())
    .addCommand(webhookDeliveriesCommand())
    .addCommand(webhookDeliveryCommand())
    .addCommand(webhookRedeliverCommand());
}
