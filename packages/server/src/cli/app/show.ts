import { Command } from 'commander';
import { showApp } from '../../registry/apps/show-app.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function appShowCommand(): Command {
  return new Command('show')
    .description('Show an app: its content, its revision and its approved content.')
    .argument('<id>', 'the app id')
    .addHelpText('after', example('app-registry app show app_01jq3v9y6ae0xv5m6b7k8c9d0e'))
    .action(registryAction((registry, { args: [id = ''] }) => showApp(registry, id)));
}
