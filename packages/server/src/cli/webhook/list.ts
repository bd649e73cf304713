import { Command } from 'commander';
import { listWebhooks } from '../../registry/webhooks/list-webhooks.ts';
import { example } from '../options.ts';
import { type TotalOptions, totalOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookListCommand(): Command {
  const command = new Command('list').description('List the webhooks. Secrets are not shown.');
  return totalOptions(command)
    .addHelpText('after', example('app-registry webhook list --limit 100'))
    .action(
      registryAction<TotalOptions>((registry, { options: { withTotal, cursor, limit } }) =>
        listWebhooks(registry, { withTotal, cursor, limit }),
      ),
    );
}
