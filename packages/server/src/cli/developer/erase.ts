import { Command } from 'commander';
import { eraseDeveloper } from '../../registry/developers/erase-developer.ts';
import { runOrTry } from '../../registry/dry-run/dry-run.ts';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function developerEraseCommand(): Command {
  const command = new Command('erase')
    .description(
      'Permanently erase the email address and names of a developer, and revoke their tokens. The user id, apps and history remain. Transfer the apps first if another developer takes over.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      registryAction<DryRunOption>((registry, { args: [id = ''], options: { dryRun }, caller }) =>
        runOrTry(registry, { dryRun, scope: { developerId: id } }, (tried) => eraseDeveloper(tried, caller, id)),
      ),
    );
}
