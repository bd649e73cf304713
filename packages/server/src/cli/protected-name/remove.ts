import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function protectedNameRemoveCommand(): Command {
  const command = new Command('remove')
    .description('Stop protecting a name or a host. Prints the removed entry.')
    .argument('<id>', 'the id that "protected-name list" shows');
  return changeOptions(command)
    .addHelpText('after', example('app-registry protected-name remove protected_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(operationAction((run, { args: [id = ''] }) => run('removeProtectedName', { params: { id } })));
}
