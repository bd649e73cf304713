import { Argument, Command } from 'commander';
import { settingNames } from '../../contract/settings.ts';
import { commandLine } from '../../registry/registry.ts';
import type { RevisionName } from '../../registry/revision.ts';
import { updateSettings } from '../../registry/settings/update-settings.ts';
import { example, revisionName } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { settingsHelp } from './settings-help.ts';

interface Options {
  revision?: RevisionName;
}

export function settingsSetCommand(): Command {
  return new Command('set')
    .description('Change a setting, in every process at once.')
    .addArgument(new Argument('<name>', 'the setting').choices(settingNames))
    .argument('<value>', 'its new value, such as true or false')
    .option(
      '--revision <revision>',
      'the listed revision, as its number or its ETag; fails if the settings have changed since',
      revisionName,
    )
    .addHelpText('after', `${settingsHelp()}${example('app-registry settings set uniqueNames false')}`)
    .action(
      registryAction<Options>((registry, { args: [name = '', text = ''], options: { revision } }) =>
        updateSettings(registry, commandLine, {
          update: { [name]: settingValue(text) },
          ifRevision: revision === undefined ? undefined : [revision],
        }),
      ),
    );
}

/** Any other text stays text, and the rules decide whether the setting can have it. */
function settingValue(text: string): boolean | string {
  return text === 'true' || (text !== 'false' && text);
}
