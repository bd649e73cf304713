import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { settingsHelp } from './settings-help.ts';

export function settingsGetCommand(): Command {
  return new Command('get')
    .description('Show the settings and their revision.')
    .addHelpText('after', `${settingsHelp()}${example('app-registry settings get')}`)
    .action(operationAction((run) => run('getSettings')));
}
