import { Command, Option } from 'commander';
import { queueKinds } from '../../contract/review/review-queue.ts';
import { listReviewQueue } from '../../registry/review/list-review-queue.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  kind?: string;
  developer?: string;
  newestFirst?: boolean;
}

export function appQueueCommand(): Command {
  const command = new Command('queue')
    .description(
      'List what awaits review, longest waiting first: submitted apps, changes of approved apps, and transfers of them. Each with how it differs from what was approved and from what was last decided on.',
    )
    .addOption(new Option('--kind <kind>', 'only what awaits this decision').choices(queueKinds))
    .option('--developer <id>', 'only the apps of this developer, by user id, as a TypeID or UUID')
    .option('--newest-first', 'what has waited shortest first');
  return pageOptions(command)
    .addHelpText(
      'after',
      example('app-registry app queue --limit 5', 'app-registry app queue --kind change --newest-first'),
    )
    .action(
      registryAction<Options>((registry, { options: { kind, developer: developerId, newestFirst, cursor, limit } }) =>
        listReviewQueue(registry, { query: { kind, developerId, newestFirst, cursor, limit }, showsNotes: true }),
      ),
    );
}
