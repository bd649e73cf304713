import { Command } from 'commander';
import { deleteApp } from '../../registry/apps/delete-app.ts';
import { runOrTry } from '../../registry/dry-run/dry-run.ts';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function appDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete an app. It can be restored for 30 days. Prints the deleted app.')
    .argument('<id>', 'the app id')
    .option('--force', 'also delete its installations; these cannot be restored');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry app delete app_01jq3v9y6ae0xv5m6b7k8c9d0e --force'))
    .action(
      registryAction<DryRunOption & { force?: boolean }>(
        (registry, { args: [appId = ''], options: { force, dryRun }, caller }) =>
          runOrTry(registry, { dryRun, scope: { appId } }, (tried) => deleteApp(tried, caller, { appId, force })),
      ),
    );
}
