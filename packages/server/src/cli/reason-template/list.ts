import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

const columns = ['id', 'title', 'code', 'message'];

export function reasonTemplateListCommand(): Command {
  const command = new Command('list').description('List the reason templates by title.');
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry reason-template list --limit 100'))
    .action(
      operationAction<PageOptions>((run, { options: { cursor, limit } }) =>
        run('listReasonTemplates', { query: { cursor, limit } }),
      ),
    );
}
