import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type TotalOptions, totalOptions } from '../page-options.ts';

interface Options extends TotalOptions {
  app?: string;
  workspace?: string;
  user?: string;
  enabled?: boolean;
  ids?: string;
}

const columns = ['id', 'appId', 'workspaceId', 'userId', 'enabled'];

export function installationListCommand(): Command {
  const command = new Command('list')
    .description('List installations: all, or those that match every filter.')
    .option('--app <id>', 'the app id')
    .option('--workspace <id>', 'the workspace id, as a TypeID or UUID')
    .option('--user <id>', 'only installations by this user, by id as a TypeID or UUID')
    .option('--enabled', 'search for enabled installations')
    .option('--no-enabled', 'search for disabled installations')
    .option('--ids <ids>', 'only installations with these ids, separated by commas; excludes other filters');
  return totalOptions(command, columns)
    .addHelpText(
      'after',
      example('app-registry installation list --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --limit 100'),
    )
    .action(
      operationAction<Options>((run, { options: { app, workspace, user, enabled, ids, withTotal, cursor, limit } }) =>
        run('listInstallations', {
          query: { appId: app, workspaceId: workspace, userId: user, enabled, ids, withTotal, cursor, limit },
        }),
      ),
    );
}
