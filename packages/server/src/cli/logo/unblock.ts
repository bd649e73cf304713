import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function logoUnblockCommand(): Command {
  const command = new Command('unblock')
    .description('Unblock a logo: its image is served again, and apps can set it.')
    .argument('<id>', 'the logo id');
  return changeOptions(command)
    .addHelpText('after', example('app-registry logo unblock logo_01jq3w6n4pf8vt2b1x9r3m7k5a'))
    .action(operationAction((run, { args: [id = ''] }) => run('unblockLogo', { params: { id } })));
}
