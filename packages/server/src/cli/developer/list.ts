import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

const columns = ['userId', 'email', 'firstName', 'lastName', 'suspendedAt'];

export function developerListCommand(): Command {
  return pageOptions(new Command('list').description('List the developers, in the order of their user ids.'), columns)
    .addHelpText('after', example('app-registry developer list --limit 100'))
    .action(
      operationAction<PageOptions>((run, { options: { cursor, limit } }) =>
        run('listDevelopers', { query: { cursor, limit } }),
      ),
    );
}
