import { Command } from 'commander';
import { deleteInstallation } from '../../registry/delete-installation.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function installationDeleteCommand(): Command {
  return new Command('delete')
    .description('Remove an app from a workspace. Prints what was removed.')
    .argument('<id>', 'the installation id')
    .addHelpText('after', example('app-registry installation delete installation_01jq3w3k1hf5tr8z0v6n2m9c4d'))
    .action(registryAction((registry, { args: [id = ''] }) => deleteInstallation(registry, commandLine, id)));
}
