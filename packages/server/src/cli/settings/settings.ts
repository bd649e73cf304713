import { Command } from 'commander';
import { settingsGetCommand } from './get.ts';
import { settingsUpdateCommand } from './update.ts';

export function settingsCommand(): Command {
  return new Command('settings')
    .description('Show and change the settings that all processes on a database share.')
    .addCommand(settingsGetCommand())
    .addCommand(settingsUpdateCommand());
}
