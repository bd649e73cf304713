import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, requireOneOf } from '../options.ts';

export function installationDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Remove one app or all apps from a workspace. Prints the removed installation, or the number removed.')
    .argument('[id]', 'the installation id')
    .option('--workspace <id>', 'instead of an id: remove all apps from this workspace, by id as a TypeID or UUID');
  return changeOptions(dryRunOption(command))
    .addHelpText(
      'after',
      example(
        'app-registry installation delete installation_01jq3w3k1hf5tr8z0v6n2m9c4d',
        'app-registry installation delete --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0',
      ),
    )
    .hook('preAction', requireOneOf('workspace'))
    .action(
      operationAction<DryRunOption & { workspace?: string }>(
        (run, { args: [id = ''], options: { workspace: workspaceId, dryRun } }) =>
          workspaceId === undefined
            ? run('deleteInstallation', { params: { id }, query: { dryRun } })
            : run('deleteInstallationsOfWorkspace', { params: { workspaceId }, query: { dryRun } }),
      ),
    );
}
