import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function developerEraseCommand(): Command {
  const command = new Command('erase')
    .description(
      'Permanently erase the email address and names of a developer, and revoke their tokens. The user id, apps and history remain. If another developer takes over, transfer the apps first.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry developer erase user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<DryRunOption>((run, { args: [userId = ''], options: { dryRun } }) =>
        run('eraseDeveloper', { params: { userId }, query: { dryRun } }),
      ),
    );
}
