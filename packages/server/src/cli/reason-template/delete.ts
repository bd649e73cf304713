import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function reasonTemplateDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete a reason template. Prints the deleted template.')
    .argument('<id>', 'the id that "reason-template list" shows');
  return changeOptions(command)
    .addHelpText('after', example('app-registry reason-template delete template_01jq3w6p4me8xv1c3y9r5q2f7g'))
    .action(operationAction((run, { args: [id = ''] }) => run('deleteReasonTemplate', { params: { id } })));
}
