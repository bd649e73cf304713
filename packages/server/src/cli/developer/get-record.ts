import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function developerGetRecordCommand(): Command {
  return new Command('get-record')
    .description(
      'Show the record of a developer: the number of their apps, decisions and suspensions, each counted up to 10,000.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .addHelpText('after', example('app-registry developer get-record user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(operationAction((run, { args: [userId = ''] }) => run('getDeveloperRecord', { params: { userId } })));
}
