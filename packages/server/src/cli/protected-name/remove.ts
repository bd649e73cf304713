import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { removeProtectedName } from '../../registry/review/protected-names/remove-protected-name.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function protectedNameRemoveCommand(): Command {
  return new Command('remove')
    .description('Stop protecting a name or a host. Prints it.')
    .argument('<id>', 'the id that "protected-name list" shows')
    .addHelpText('after', example('app-registry protected-name remove protected_01jq3w5n3kh7wt0b2x8q4p1e6f'))
    .action(registryAction((registry, { args: [id = ''] }) => removeProtectedName(registry, commandLine, id)));
}
