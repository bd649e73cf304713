import { Argument, Command, Option } from 'commander';
import { settingNames } from '../../features/settings/settings.ts';
import { getSettings, settingsHelp } from '../../features/settings/update-settings.ts';
import type { RevisionName } from '../../kernel/revision.ts';
import { changeOptions, example, ifMatchOption } from '../command-options.ts';
import { derivedCommand } from '../derived-commands.ts';
import { operationAction } from '../operation-action.ts';

export function settingsCommand(): Command {
  return new Command('settings')
    .description('Show and change the settings that all processes on a database share.')
    .addCommand(derivedCommand(getSettings))
    .addCommand(settingsUpdateCommand());
}

interface Options {
  existing?: string;
  ifMatch?: RevisionName;
}

/** Written by hand, because its arguments are a setting and a value. */
function settingsUpdateCommand(): Command {
  const command = new Command('update')
    .description('Change a setting in every process immediately.')
    .addArgument(new Argument('<name>', 'the setting').choices(settingNames))
    .argument('<value>', 'the new value, such as true, false or 48')
    .addOption(
      new Option(
        '--existing <action>',
        'required for changesToApproved hold while changes are undecided: approve them as they are now, or hold them too',
      ).choices(['approve', 'hold']),
    );
  return changeOptions(ifMatchOption(command, getSettings))
    .addHelpText('after', `\n${settingsHelp()}\n${example('app-registry settings update changesToApproved hold')}`)
    .action(
      operationAction<Options>((run, { args: [name = '', text = ''], options: { ifMatch, existing } }) =>
        run('updateSettings', {
          query: existing === undefined ? {} : { existing },
          body: { [name]: settingValue(text) },
          ifRevision: ifMatch,
        }),
      ),
    );
}

/** Any other text stays text, and the rules decide whether the setting can have it. */
function settingValue(text: string): boolean | number | string {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return text === 'true' || (text !== 'false' && text);
}
