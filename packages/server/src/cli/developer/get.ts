import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function developerGetCommand(): Command {
  return new Command('get')
    .description('Show a developer.')
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .addHelpText('after', example('app-registry developer get user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(operationAction((run, { args: [userId = ''] }) => run('getDeveloper', { params: { userId } })));
}
