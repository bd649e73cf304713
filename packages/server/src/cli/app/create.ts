import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { addCreationOptions, type ContentOptions, createdContent } from './content-options.ts';

interface Options extends ContentOptions {
  developer: string;
}

export function appCreateCommand(): Command {
  const command = new Command('create')
    .description('Create an app as a draft.')
    .requiredOption('--developer <id>', 'the user id of its developer');
  return changeOptions(addCreationOptions(command))
    .addHelpText(
      'after',
      example('app-registry app create --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c --name "Invoice Sync"'),
    )
    .action(
      operationAction<Options>((run, { options }) =>
        run('createApp', { body: { developerId: options.developer, ...createdContent(options) } }),
      ),
    );
}
