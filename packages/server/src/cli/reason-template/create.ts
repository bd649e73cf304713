import { Command } from 'commander';
import { createReasonTemplate } from '../../registry/review/reason-templates/create-reason-template.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  title: string;
  message: string;
  code?: string;
}

const usage =
  'app-registry reason-template create --title "Callback is silent" --message "The callback URL does not respond." --code broken_address';

export function reasonTemplateCreateCommand(): Command {
  const command = new Command('create')
    .description('Create a text that reviewers begin the reason of a decision with.')
    .requiredOption('--title <text>', 'what reviewers choose it by')
    .requiredOption('--message <text>', 'the message for the developer')
    .option('--code <code>', 'why, for programs');
  return changeOptions(command)
    .addHelpText('after', example(usage))
    .action(
      registryAction<Options>((registry, { options: { title, message, code }, caller }) =>
        createReasonTemplate(registry, caller, { title, message, code }),
      ),
    );
}
