import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  developer?: string;
}

const columns = ['id', 'developerId', 'logoUrl', 'blockedAt'];

export function logoListCommand(): Command {
  const command = new Command('list')
    .description('List logos.')
    .option('--developer <id>', 'only logos of this developer, by user id');
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry logo list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<Options>((run, { options: { developer, cursor, limit } }) =>
        run('listLogos', { query: { developerId: developer, cursor, limit } }),
      ),
    );
}
