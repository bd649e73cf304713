import { Command } from 'commander';
import { createApp } from '../../registry/apps/create-app.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';
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
      registryAction<Options>((registry, { options, caller }) =>
        createApp(registry, caller, { developerId: options.developer, ...createdContent(options) }),
      ),
    );
}
