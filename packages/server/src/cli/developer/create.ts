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
    .requiredOption('--email <address>', 'where to write to')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--user-id <id>', 'the user id that the platform has given, as a TypeID or UUID (default: a new one)')
    .addHelpText('after', example('app-registry developer create --email ada@example.com --first-name Ada'))
    .action(
      registryAction<Options>((registry, { options: { email, firstName, lastName, userId } }) =>
        createDeveloper(registry, commandLine, { email, firstName, lastName, userId }),
      ),
    );
}
