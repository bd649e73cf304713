import { Command, Option } from 'commander';
import { appSorts, deletedAppSorts } from '../../features/apps/app-schemas.ts';
import { reviewStatuses } from '../../features/apps/review/review-status.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example } from '../options.ts';
import { type SortOptions, sortOptions } from '../page-options.ts';

interface Options extends SortOptions {
  status?: string;
  developer?: string;
  name?: string;
  host?: string;
  changedSinceApproval?: boolean;
  ids?: string;
  deleted?: boolean;
}

const examples = [
  'app-registry app list --status AWAITING_REVIEW',
  'app-registry app list --name inv',
  'app-registry app list --host evil.example',
  'app-registry app list --sort name --with-total',
  'app-registry app list --deleted --sort -deletedAt',
];

const columns = ['id', 'name', 'reviewStatus', 'developerId', 'updatedAt'];

export function appListCommand(): Command {
  const command = new Command('list')
    .description(
      'List the apps that match every filter, or those with the given ids. Ordered by host with --host, by name with --name, otherwise by id or --sort.',
    )
    .addOption(choiceOption('--status <status>', 'only apps with this review status', reviewStatuses))
    .option('--developer <id>', 'only apps of this developer, by user id as a TypeID or UUID')
    .option('--name <prefix>', 'only apps whose name starts with this, regardless of case')
    .option('--host <host>', 'only apps with a current or approved login or callback URL at this host or a subdomain')
    .option('--changed-since-approval', 'only apps whose content differs from the approved content')
    .option(
      '--no-changed-since-approval',
      'only apps whose content matches the approved content, or was never approved',
    )
    .option('--ids <ids>', 'only apps with these ids, separated by commas; excludes filters and --sort')
    .addOption(
      new Option('--deleted', 'list the deleted apps that "app restore" can restore').conflicts([
        'status',
        'name',
        'host',
        'changedSinceApproval',
        'ids',
      ]),
    );
  return sortOptions(command, [...new Set([...appSorts, ...deletedAppSorts])], columns)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { options }) => {
        const { status, developer: developerId, name, host, changedSinceApproval, ids, deleted, ...page } = options;
        const { sort, withTotal, cursor, limit } = page;
        const order = { sort, withTotal, cursor, limit };
        return deleted
          ? run('listDeletedApps', { query: { developerId, ...order } })
          : run('listApps', { query: { status, developerId, name, host, changedSinceApproval, ids, ...order } });
      }),
    );
}
