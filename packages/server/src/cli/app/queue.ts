import { Command } from 'commander';
import { listReviewQueue } from '../../registry/review/list-review-queue.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

export function appQueueCommand(): Command {
  const command = new Command('queue').description(
    'List what awaits review, longest waiting first: submitted apps, changes of approved apps, and transfers of them. Each with how it differs from what was approved and from what was last decided on.',
  );
  return pageOptions(command)
    .addHelpText('after', example('app-registry app queue --limit 5'))
    .action(
      registryAction<PageOptions>((registry, { options: { cursor, limit } }) =>
        listReviewQueue(registry, { query: { cursor, limit }, showsNotes: true }),
      ),
    );
}
