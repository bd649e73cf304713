import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function installationGetCommand(): Command {
  return new Command('get')
    .description('Show an installation.')
    .argument('<id>', 'the installation id')
    .addHelpText('after', example('app-registry installation get installation_01jq3w3k1hf5tr8z0v6n2m9c4d'))
    .action(operationAction((run, { args: [id = ''] }) => run('getInstallation', { params: { id } })));
}
