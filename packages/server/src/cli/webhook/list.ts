import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';
import { type TotalOptions, totalOptions } from '../page-options.ts';

const columns = ['id', 'enabled', 'failingSince', 'name', 'url'];

export function webhookListCommand(): Command {
  const command = new Command('list').description('List the webhooks. Secrets are not shown.');
  return totalOptions(command, columns)
    .addHelpText('after', example('app-registry webhook list --limit 100'))
    .action(
      operationAction<TotalOptions>((run, { options: { withTotal, cursor, limit } }) =>
        run('listWebhooks', { query: { withTotal, cursor, limit } }),
      ),
    );
}
