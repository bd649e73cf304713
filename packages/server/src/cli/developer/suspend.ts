import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function developerSuspendCommand(): Command {
  const command = new Command('suspend')
    .description(
      'Suspend a developer immediately: block their tokens, revoke their approved apps, disable all installations of their apps, and remove their apps and changes from the review queue. A second suspension keeps the first time and reason.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID')
    .requiredOption('--reason <text>', 'the reason, shared with the developer');
  return changeOptions(dryRunOption(command))
    .addHelpText(
      'after',
      example(
        'app-registry developer suspend user_01jq3v8nbtf4mrk6d2m3wz5x7c --reason "The apps send customer data elsewhere." --dry-run',
      ),
    )
    .action(
      operationAction<DryRunOption & { reason: string }>((run, { args: [userId = ''], options: { reason, dryRun } }) =>
        run('suspendDeveloper', { params: { userId }, query: { dryRun }, body: { reason } }),
      ),
    );
}

export function developerUnsuspendCommand(): Command {
  const command = new Command('unsuspend')
    .description(
      'End a suspension and undo its effects. Apps that were reviewed, deleted or transferred in the meantime stay as they are and are listed.',
    )
    .argument('<id>', 'the user id, as a TypeID or UUID');
  return changeOptions(dryRunOption(command))
    .addHelpText('after', example('app-registry developer unsuspend user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<DryRunOption>((run, { args: [userId = ''], options: { dryRun } }) =>
        run('unsuspendDeveloper', { params: { userId }, query: { dryRun } }),
      ),
    );
}
