import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function appTransferCommand(): Command {
  const command = new Command('transfer')
    .description(
      'Transfer an app to another developer, with its review status, installations and history. Creates a new revision and copies the logos to the new developer.',
    )
    .argument('<id>', 'the app id')
    .requiredOption('--developer <id>', 'the user id of the new developer, as a TypeID or UUID');
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry app transfer app_01jq3v9y6ae0xv5m6b7k8c9d0e --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'),
    )
    .action(
      operationAction<{ developer: string }>((run, { args: [id = ''], options: { developer } }) =>
        run('transferApp', { params: { id }, body: { developerId: developer } }),
      ),
    );
}
