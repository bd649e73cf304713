import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function protectedNameDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Stop protecting a name or a host. Prints the deleted entry.')
    .argument('<id>', 'the id that "protected-name list" shows');
  return changeOptions(command)
    .addHelpText('after', example('app-registry protected-name delete protected_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('deleteProtectedName', { params: { id } })));
}
