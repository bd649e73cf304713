import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  email: string;
  firstName?: string;
  lastName?: string;
  userId?: string;
}

export function developerCreateCommand(): Command {
  const command = new Command('create')
    .description('Create a developer.')
    .requiredOption('--email <address>', 'the email address')
    .option('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
    .option('--user-id <id>', 'the user id on the platform, as a TypeID or UUID (default: a new one)');
  return changeOptions(command)
    .addHelpText('after', example('app-registry developer create --email ada@example.com --first-name Ada'))
    .action(
      operationAction<Options>((run, { options: { email, firstName, lastName, userId } }) =>
        run('createDeveloper', { body: { email, firstName, lastName, userId } }),
      ),
    );
}
