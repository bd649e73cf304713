import { Command } from 'commander';
import { showInstallation } from '../../registry/installations/show-installation.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function installationShowCommand(): Command {
  return new Command('show')
    .description('Show an installation.')
    .argument('<id>', 'the installation id')
    .addHelpText('after', example('app-registry installation show installation_01jq3w3k1hf5tr8z0v6n2m9c4d'))
    .action(registryAction((registry, { args: [id = ''] }) => showInstallation(registry, id)));
}
