import { Command } from 'commander';
import { listProtectedNames } from '../../registry/review/protected-names/list-protected-names.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function protectedNameListCommand(): Command {
  const command = new Command('list').description('List the protected names and hosts.');
  return pageOptions(command)
    .addHelpText('after', example('app-registry protected-name list --limit 100'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listProtectedNames(registry, { cursor, limit }),
      ),
    );
}
