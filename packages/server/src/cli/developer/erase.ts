import { Command } from 'commander';
import { eraseDeveloper } from '../../registry/developers/erase-developer.ts';
import { commandLine } from '../../registry/registry.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function developerEraseCommand(): Command {
  return new Command('erase')
    .description(
      'Erase the email address and names of a developer for good, and revoke their tokens. The user id, the apps and the history stay; transfer the apps first if another developer goes on with them.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .addHelpText('after', example('app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(registryAction((registry, { args: [id = ''] }) => eraseDeveloper(registry, commandLine, id)));
}
