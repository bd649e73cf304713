import { Command } from 'commander';
import { deleteApp } from '../../registry/apps/delete-app.ts';
import { changeOptions } from '../change-options.ts';
import { dryRunOption, triableAction } from '../dry-run-option.ts';
import { example } from '../options.ts';

export function appDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete an app. It can be restored for 30 days. Prints the deleted app.')
    .argument('<id>', 'the app id')
    .option('--force', 'also delete its installations; these cannot be restored');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry app delete app_01jq3v9y6ae0xv5m6b7k8c9d0e --force'))
    .action(
      triableAction<{ force?: boolean }>(({ args: [appId = ''], options: { force }, caller }) => ({
        scope: { appId },
        work: (registry) => deleteApp(registry, caller, { appId, force }),
      })),
    );
}
