import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function appDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete an app. Prints the deleted app, which can be restored for 30 days.')
    .argument('<id>', 'the app id')
    .option('--force', 'also delete its installations, which cannot be restored');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry app delete app_01jq3v9y6ae0xv5m6b7k8c9d0e --force'))
    .action(
      operationAction<DryRunOption & { force?: true }>((run, { args: [id = ''], options: { force, dryRun } }) =>
        run('deleteApp', { params: { id }, query: { force, dryRun } }),
      ),
    );
}
