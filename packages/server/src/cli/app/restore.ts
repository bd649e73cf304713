import { Command } from 'commander';
import { restoreApp } from '../../registry/apps/restore-app.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

const explanation = `
"app list --deleted" shows the apps that can be brought back, and until when.
`;

export function appRestoreCommand(): Command {
  return new Command('restore')
    .description('Bring an app back that was deleted in the last 30 days, without its installations.')
    .argument('<id>', 'the app id')
    .addHelpText('after', explanation + example('app-registry app restore app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(registryAction((registry, { args: [id = ''] }) => restoreApp(registry, commandLine, id)));
}
