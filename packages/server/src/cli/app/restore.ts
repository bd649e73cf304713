import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

const explanation = `
"app list --deleted" lists the apps that can be restored, with the deadline for each.
`;

export function appRestoreCommand(): Command {
  const command = new Command('restore')
    .description('Restore an app that was deleted in the last 30 days, without its installations.')
    .argument('<id>', 'the app id');
  return changeOptions(command)
    .addHelpText('after', explanation + example('app-registry app restore app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(operationAction((run, { args: [id = ''] }) => run('restoreApp', { params: { id } })));
}
