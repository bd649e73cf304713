import { Command } from 'commander';
import { installationOperations } from '../features/installations/installations.ts';
import { changeOptions } from './change-options.ts';
import { commandGroup } from './derived-commands.ts';
import { type DryRunOption, dryRunOption } from './dry-run-option.ts';
import { operationAction } from './operation/operation-action.ts';
import { example, requireOneOf } from './options.ts';
import { type TotalOptions, totalOptions } from './page-options.ts';

export function installationCommand(): Command {
  const { createInstallation, getInstallation, enableInstallation, disableInstallation } = installationOperations;
  return commandGroup(new Command('installation').description('Manage the installations of apps in workspaces.'), {
    createInstallation,
    list: listCommand(),
    getInstallation,
    enableInstallation,
    disableInstallation,
    delete: deleteCommand(),
  });
}

interface ListOptions extends TotalOptions {
  app?: string;
  workspace?: string;
  user?: string;
  enabled?: boolean;
  ids?: string;
}

/** Written by hand, because it searches for both values of `enabled`. */
function listCommand(): Command {
  const command = new Command('list')
    .description('List installations: all, or those that match every filter.')
    .option('--app <id>', 'the app id')
    .option('--workspace <id>', 'the workspace id, as a TypeID or UUID')
    .option('--user <id>', 'only installations by this user, by id as a TypeID or UUID')
    .option('--enabled', 'search for enabled installations')
    .option('--no-enabled', 'search for disabled installations')
    .option('--ids <ids>', 'only installations with these ids, separated by commas; excludes other filters');
  return totalOptions(command, ['id', 'appId', 'workspaceId', 'userId', 'enabled'])
    .addHelpText(
      'after',
      example('app-registry installation list --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --limit 100'),
    )
    .action(
      operationAction<ListOptions>(
        (run, { options: { app, workspace, user, enabled, ids, withTotal, cursor, limit } }) =>
          run('listInstallations', {
            query: { appId: app, workspaceId: workspace, userId: user, enabled, ids, withTotal, cursor, limit },
          }),
      ),
    );
}

/** Written by hand, because it is two operations. */
function deleteCommand(): Command {
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
