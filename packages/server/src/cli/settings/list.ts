import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { settingsHelp } from './settings-help.ts';

export function settingsListCommand(): Command {
  return new Command('list')
    .description('List the settings and their revision.')
    .addHelpText('after', `${settingsHelp()}${example('app-registry settings list')}`)
    .action(operationAction((run) => run('showSettings')));
}
