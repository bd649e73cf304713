import { Command } from 'commander';
import { listWebhooks } from '../../registry/webhooks/list-webhooks.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function webhookListCommand(): Command {
  const command = new Command('list').description('List the webhooks. Secrets are not shown.');
  return pageOptions(command)
    .addHelpText('after', example('app-registry webhook list --limit 100'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listWebhooks(registry, { cursor, limit }),
      ),
    );
}
