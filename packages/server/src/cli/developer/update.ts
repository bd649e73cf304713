import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { clearable } from '../clearable.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  email?: string;
  firstName?: string | false;
  lastName?: string | false;
}

export function developerUpdateCommand(): Command {
  const command = new Command('update')
    .description('Update the given fields of a developer. The change appears immediately on all their apps.')
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .option('--email <address>', 'the email address')
    .option('--first-name <name>', 'the first name; an empty value removes it')
    .option('--no-first-name', 'remove the first name')
    .option('--last-name <name>', 'the last name; an empty value removes it')
    .option('--no-last-name', 'remove the last name');
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry developer update user_01jq3v8nbtf4mrk6d2m3wz5x7c --email ada@example.com --no-last-name'),
    )
    .action(
      operationAction<Options>((run, { args: [userId = ''], options: { email, firstName, lastName } }) =>
        run('updateDeveloper', {
          params: { userId },
          body: { email, firstName: clearable(firstName), lastName: clearable(lastName) },
        }),
      ),
    );
}
