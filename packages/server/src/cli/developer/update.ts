import { Command } from 'commander';
import { updateDeveloper } from '../../registry/developers/update-developer.ts';
import { commandLine } from '../../registry/registry.ts';
import { clearable } from '../clearable.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  email?: string;
  firstName?: string | false;
  lastName?: string | false;
}

export function developerUpdateCommand(): Command {
  return new Command('update')
    .description('Change a developer: only what is given. The platform sees it on each of their apps at once.')
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .option('--email <address>', 'where to write to')
    .option('--first-name <name>', 'first name')
    .option('--no-first-name', 'remove the first name, as an empty one does')
    .option('--last-name <name>', 'last name')
    .option('--no-last-name', 'remove the last name, as an empty one does')
    .addHelpText(
      'after',
      example('app-registry developer update user_01jq3v8nbtf4mrk6d2m3wz5x7c --email ada@example.com --no-last-name'),
    )
    .action(
      registryAction<Options>((registry, { args: [userId = ''], options: { email, firstName, lastName } }) =>
        updateDeveloper(registry, commandLine, {
          userId,
          update: { email, firstName: clearable(firstName), lastName: clearable(lastName) },
        }),
      ),
    );
}
