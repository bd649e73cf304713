import { Command } from 'commander';
import { createDeveloper } from '../../registry/developers/create-developer.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  email: string;
  firstName?: string;
  lastName?: string;
  userId?: string;
}

export function developerCreateCommand(): Command {
  return new Command('create')
    .description('Create a developer.')
    .requiredOption('--email <address>', 'the email address')
    .option('--first-name <name>', 'the first name')
    .option('--last-name <name>', 'the last name')
    .option('--user-id <id>', 'the user id on the platform, as a TypeID or UUID (default: a new one)')
    .addHelpText('after', example('app-registry developer create --email ada@example.com --first-name Ada'))
    .action(
      registryAction<Options>((registry, { options: { email, firstName, lastName, userId } }) =>
        createDeveloper(registry, commandLine, { email, firstName, lastName, userId }),
      ),
    );
}
