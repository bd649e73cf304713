import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function developerSuspendCommand(): Command {
  const command = new Command('suspend')
    .description(
      'Stop a developer at once: refuse their tokens, revoke their approved apps, disable all installations of their apps, and take their apps and changes out of the review queue. Repeating it retains the first time and reason.',
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
      'End a suspension and undo exactly what it did. Apps that were decided on, deleted or transferred meanwhile are left as they are, and listed.',
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
