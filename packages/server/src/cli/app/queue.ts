import { Command, Option } from 'commander';
import { queueKinds } from '../../contract/review/review-queue.ts';
import { listReviewQueue } from '../../registry/review/list-review-queue.ts';
import { example, utcTime } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  kind?: string;
  developer?: string;
  waitingBefore?: string;
  warnings?: boolean;
  newestFirst?: boolean;
  withTotal?: boolean;
}

export function appQueueCommand(): Command {
  const command = new Command('queue')
    .description(
      'List what awaits review, longest waiting first: submitted apps, changes of approved apps, and transfers of them. Each with how it differs from what was approved and from what was last decided on.',
    )
    .addOption(new Option('--kind <kind>', 'only what awaits this decision').choices(queueKinds))
    .option('--developer <id>', 'only the apps of this developer, by user id, as a TypeID or UUID')
    .addOption(new Option('--waiting-before <time>', 'only what has waited since before a UTC time').argParser(utcTime))
    .option('--warnings', 'search for apps with warnings')
    .option('--no-warnings', 'search for apps without warnings')
    .option('--newest-first', 'what has waited shortest first')
    .option('--with-total', 'also say how many there are, estimated above 10,000');
  return pageOptions(command)
    .addHelpText(
      'after',
      example(
        'app-registry app queue --limit 5',
        'app-registry app queue --kind change --newest-first',
        'app-registry app queue --warnings --waiting-before 2026-03-01T09:30:00Z',
      ),
    )
    .action(
      registryAction<Options>((registry, { options }) =>
        listReviewQueue(registry, { query: queryOf(options), showsNotes: true }),
      ),
    );
}

function queryOf({ developer: developerId, warnings: hasWarnings, ...query }: Options): object {
  const { kind, waitingBefore, newestFirst, withTotal, cursor, limit } = query;
  return { kind, developerId, waitingBefore, hasWarnings, newestFirst, withTotal, cursor, limit };
}
