import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  title: string;
  message: string;
  code?: string;
}

const usage =
  'app-registry reason-template create --title "Callback is silent" --message "The callback URL does not respond." --code broken_address';

export function reasonTemplateCreateCommand(): Command {
  const command = new Command('create')
    .description('Create a reason template: a reusable text for the reason of a decision.')
    .requiredOption('--title <text>', 'the title that reviewers select it by')
    .requiredOption('--message <text>', 'the message for the developer')
    .option('--code <code>', 'the reason code');
  return changeOptions(command)
    .addHelpText('after', example(usage))
    .action(
      operationAction<Options>((run, { options: { title, message, code } }) =>
        run('createReasonTemplate', { body: { title, message, code } }),
      ),
    );
}
