import { Command } from 'commander';
import { developerSorts } from '../../features/developers/developer.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type SortOptions, sortOptions } from '../page-options.ts';

const columns = ['userId', 'email', 'firstName', 'lastName', 'suspendedAt'];

export function developerListCommand(): Command {
  const command = new Command('list').description('List developers, by default in order of user id.');
  return sortOptions(command, developerSorts, columns)
    .addHelpText(
      'after',
      example('app-registry developer list --limit 100', 'app-registry developer list --sort -createdAt --with-total'),
    )
    .action(
      operationAction<SortOptions>((run, { options: { sort, withTotal, cursor, limit } }) =>
        run('listDevelopers', { query: { sort, withTotal, cursor, limit } }),
      ),
    );
}
