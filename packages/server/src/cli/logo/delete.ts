import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function logoDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete an unused logo. Approved content and deleted apps that can be restored also count as uses.')
    .argument('<id>', 'the logo id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry logo delete logo_01jq3w6n4pf8vt2b1x9r3m7k5a'))
    .action(operationAction((run, { args: [id = ''] }) => run('deleteLogo', { params: { id } })));
}
