import { Command } from 'commander';
import { developerSorts } from '../../contract/developer.ts';
import { listDevelopers } from '../../registry/developers/list-developers.ts';
import { example } from '../options.ts';
import { type SortOptions, sortOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function developerListCommand(): Command {
  return sortOptions(
    new Command('list').description('List the developers, in the order of their user ids unless sorted otherwise.'),
    developerSorts,
  )
    .addHelpText(
      'after',
      example('app-registry developer list --limit 100', 'app-registry developer list --sort -createdAt --with-total'),
    )
    .action(
      registryAction<SortOptions>((registry, { options: { sort, withTotal, cursor, limit } }) =>
        listDevelopers(registry, { sort, withTotal, cursor, limit }),
      ),
    );
}
