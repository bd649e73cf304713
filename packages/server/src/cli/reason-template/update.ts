import { Command } from 'commander';
import { updateReasonTemplate } from '../../registry/review/reason-templates/update-reason-template.ts';
import { changeOptions } from '../change-options.ts';
import { clearable } from '../clearable.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  title?: string;
  message?: string;
  code?: string | false;
}

export function reasonTemplateUpdateCommand(): Command {
  const command = new Command('update')
    .description('Change the given fields of a template of reasons.')
    .argument('<id>', 'the id that "reason-template list" shows')
    .option('--title <text>', 'what reviewers choose it by')
    .option('--message <text>', 'the message for the developer')
    .option('--code <code>', 'why, for programs')
    .option('--no-code', 'remove the code');
  return changeOptions(command)
    .addHelpText(
      'after',
      example('app-registry reason-template update template_01jq3w6p4me8xv1c3y9r5q2f7g --title "Callback is refused"'),
    )
    .action(
      registryAction<Options>((registry, { args: [id = ''], options: { title, message, code }, caller }) =>
        updateReasonTemplate(registry, caller, { id, update: { title, message, code: clearable(code) } }),
      ),
    );
}
