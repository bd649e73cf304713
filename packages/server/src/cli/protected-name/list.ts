import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

const columns = ['id', 'name', 'host', 'developerIds', 'note'];

export function protectedNameListCommand(): Command {
  const command = new Command('list').description('List the protected names and hosts.');
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry protected-name list --limit 100'))
    .action(
      operationAction<PageOptions>((run, { options: { cursor, limit } }) =>
        run('listProtectedNames', { query: { cursor, limit } }),
      ),
    );
}
