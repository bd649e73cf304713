import { Command } from 'commander';
import { webhookCreateCommand } from './create.ts';
import { webhookDeleteCommand } from './delete.ts';
import { webhookGetCommand } from './get.ts';
import { webhookListCommand } from './list.ts';
import { webhookListenCommand } from './listen.ts';
import { webhookRotateSecretCommand } from './rotate-secret.ts';
import { webhookTestCommand } from './send-test.ts';
import { webhookDisableCommand, webhookEnableCommand } from './set-enabled.ts';
import { webhookUpdateCommand } from './update.ts';

export function webhookCommand(): Command {
  return new Command('webhook')
    .description('Manage webhooks.')
    .addCommand(webhookCreateCommand())
    .addCommand(webhookListCommand())
    .addCommand(webhookGetCommand())
    .addCommand(webhookUpdateCommand())
    .addCommand(webhookRotateSecretCommand())
    .addCommand(webhookEnableCommand())
    .addCommand(webhookDisableCommand())
    .addCommand(webhookDeleteCommand())
    .addCommand(webhookTestCommand())
    .addCommand(webhookListenCommand());
}
