import { Command } from 'commander';
import { listDevelopers } from '../../registry/developers/list-developers.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function developerListCommand(): Command {
  return pageOptions(new Command('list').description('List the developers, in the order of their user ids.'))
    .addHelpText('after', example('app-registry developer list --limit 100'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listDevelopers(registry, { cursor, limit }),
      ),
    );
}
