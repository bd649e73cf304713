import { Command } from 'commander';
import { settingsListCommand } from './list.ts';
import { settingsSetCommand } from './set.ts';

export function settingsCommand(): Command {
  return new Command('settings')
    .description('Show and change the settings that all processes on a database share.')
    .addCommand(settingsListCommand())
    .addCommand(settingsSetCommand());
}
