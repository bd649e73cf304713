import { Command } from 'commander';
import { removeProtectedName } from '../../registry/review/protected-names/remove-protected-name.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function protectedNameRemoveCommand(): Command {
  const command = new Command('remove')
    .description('Stop protecting a name or a host. Prints it.')
    .argument('<id>', 'the id that "protected-name list" shows');
  return changeOptions(command)
    .addHelpText('after', example('app-registry protected-name remove protected_01jq3w5n3kf7wt0b2x8q4p1e6f'))
    .action(registryAction((registry, { args: [id = ''], caller }) => removeProtectedName(registry, caller, id)));
}
