import { Command } from 'commander';
import { listInstallations } from '../../registry/installations/list-installations.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  app?: string;
  workspace?: string;
  user?: string;
}

export function installationListCommand(): Command {
  const command = new Command('list')
    .description('List the installations of an app, a workspace or a user. Several filters must all match.')
    .option('--app <id>', 'the app id')
    .option('--workspace <id>', 'the workspace id, as a TypeID or UUID')
    .option('--user <id>', 'the user who installed them, as a TypeID or UUID');
  return pageOptions(command)
    .addHelpText(
      'after',
      example('app-registry installation list --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --limit 100'),
    )
    .hook('preAction', (list) => {
      const { app, workspace, user } = list.opts<Options>();
      if ((app ?? workspace ?? user) === undefined) list.error('error: give --app, --workspace or --user');
    })
    .action(
      registryAction<Options>((registry, { options: { app, workspace, user, cursor, limit } }) =>
        listInstallations(registry, { appId: app, workspaceId: workspace, userId: user, cursor, limit }),
      ),
    );
}
