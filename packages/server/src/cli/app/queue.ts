import { Command } from 'commander';
import { listReviewQueue } from '../../registry/review/list-review-queue.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function appQueueCommand(): Command {
  return pageOptions(new Command('queue').description('List the apps that await review, longest waiting first.'))
    .addHelpText('after', example('app-registry app queue --limit 5'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listReviewQueue(registry, { cursor, limit }),
      ),
    );
}
