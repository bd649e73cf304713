import { Command } from 'commander';
import { installationCreateCommand } from './create.ts';
import { installationDeleteCommand } from './delete.ts';
import { installationGetCommand } from './get.ts';
import { installationListCommand } from './list.ts';
import { installationDisableCommand, installationEnableCommand } from './set-enabled.ts';

export function installationCommand(): Command {
  return new Command('installation')
    .description('Manage the installations of apps in workspaces.')
    .addCommand(installationCreateCommand())
    .addCommand(installationListCommand())
    .addCommand(installationGetCommand())
    .addCommand(installationEnableCommand())
    .addCommand(installationDisableCommand())
    .addCommand(installationDeleteCommand());
}
