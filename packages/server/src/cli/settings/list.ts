import { Command } from 'commander';
import { showSettings } from '../../registry/settings/show-settings.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { settingsHelp } from './settings-help.ts';

export function settingsListCommand(): Command {
  return new Command('list')
    .description('List the settings and their revision.')
    .addHelpText('after', `${settingsHelp()}${example('app-registry settings list')}`)
    .action(registryAction((registry) => showSettings(registry)));
}
