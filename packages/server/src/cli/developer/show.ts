import { Command } from 'commander';
import { showDeveloper } from '../../registry/developers/show-developer.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function developerShowCommand(): Command {
  return new Command('show')
    .description('Show a developer.')
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .addHelpText('after', example('app-registry developer show user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(registryAction((registry, { args: [id = ''] }) => showDeveloper(registry, id)));
}
