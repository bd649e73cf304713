import { Command, Option } from 'commander';
import { queueKinds } from '../../features/apps/review/review-queue.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example, utcTime } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  kind?: string;
  developer?: string;
  waitingBefore?: string;
  warnings?: boolean;
  newestFirst?: boolean;
  withTotal?: boolean;
}

const columns = ['waitingSince', 'kind', 'app.id', 'app.name', 'fields'];

export function appListReviewQueueCommand(): Command {
  const command = new Command('list-review-queue')
    .description(
      'List what awaits review, longest waiting first: submitted apps, and changes and transfers of approved apps. Each item shows how it differs from the approved content and from the content last decided on.',
    )
    .addOption(choiceOption('--kind <kind>', 'only items of this kind', queueKinds))
    .option('--developer <id>', 'only apps of this developer, by user id as a TypeID or UUID')
    .addOption(
      new Option('--waiting-before <time>', 'only items waiting since before this UTC time').argParser(utcTime),
    )
    .option('--warnings', 'search for apps with warnings')
    .option('--no-warnings', 'search for apps without warnings')
    .option('--newest-first', 'shortest waiting first')
    .option('--with-total', 'also show the total, estimated above 10,000');
  return pageOptions(command, columns)
    .addHelpText(
      'after',
      example(
        'app-registry app list-review-queue --limit 5',
        'app-registry app list-review-queue --kind change --newest-first',
        'app-registry app list-review-queue --warnings --waiting-before 2026-03-01T09:30:00Z',
      ),
    )
    .action(operationAction<Options>((run, { options }) => run('listReviewQueue', { query: queryOf(options) })));
}

function queryOf({ developer: developerId, warnings: hasWarnings, ...query }: Options): Record<string, unknown> {
  const { kind, waitingBefore, newestFirst, withTotal, cursor, limit } = query;
  return { kind, developerId, waitingBefore, hasWarnings, newestFirst, withTotal, cursor, limit };
}
