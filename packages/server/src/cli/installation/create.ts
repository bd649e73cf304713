import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  app: string;
  workspace: string;
  user: string;
}

export function installationCreateCommand(): Command {
  const command = new Command('create')
    .description('Install an approved app in a workspace. Its developer may install it before approval.')
    .requiredOption('--app <id>', 'the app id')
    .requiredOption('--workspace <id>', 'the workspace id, as a TypeID or UUID')
    .requiredOption('--user <id>', 'the id of the user who installs it, as a TypeID or UUID');
  return changeOptions(command)
    .addHelpText(
      'after',
      example(
        'app-registry installation create --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --workspace workspace_01jq3w2r5sfh8tn4m6b7k8c9d0 --user user_01jq3w2x9ge6ab5m6b7k8c9d0e',
      ),
    )
    .action(
      operationAction<Options>((run, { options: { app, workspace, user } }) =>
        run('createInstallation', { body: { appId: app, workspaceId: workspace, userId: user } }),
      ),
    );
}
