import { Command } from 'commander';
import { deleteLogo } from '../../registry/logos/delete-logo.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function logoDeleteCommand(): Command {
  return new Command('delete')
    .description('Delete a logo that no app uses: also not as approved, nor when a deleted app is restored.')
    .argument('<id>', 'the logo id')
    .addHelpText('after', example('app-registry logo delete logo_01jq3w6n4pf8vt2b1x9r3m7k5a'))
    .action(registryAction((registry, { args: [id = ''] }) => deleteLogo(registry, commandLine, id)));
}
