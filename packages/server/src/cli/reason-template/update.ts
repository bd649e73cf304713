import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { clearable } from '../clearable.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  title?: string;
  message?: string;
  code?: string | false;
}

export function reasonTemplateUpdateCommand(): Command {
  const command = new Command('update')
    .description('Update the given fields of a reason template.')
    .argument('<id>', 'the id that "reason-template list" shows')
    .option('--title <text>', 'the title that reviewers select it by')
    .option('--message <text>', 'the message for the developer')
    .option('--code <code>', 'the reason code')
    .option('--no-code', 'remove the code');
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry reason-template update template_01jq3w6p4me8xv1c3y9r5q2f7g --title "Callback is refused"'),
    )
    .action(
      operationAction<Options>((run, { args: [id = ''], options: { title, message, code } }) =>
        run('updateReasonTemplate', { params: { id }, body: { title, message, code: clearable(code) } }),
      ),
    );
}
