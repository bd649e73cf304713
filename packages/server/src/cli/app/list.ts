import { Command, Option } from 'commander';
import { reviewStatuses } from '../../contract/review.ts';
import { listApps } from '../../registry/apps/list-apps.ts';
import { listDeletedApps } from '../../registry/apps/list-deleted-apps.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  status?: string;
  developer?: string;
  name?: string;
  changedSinceApproval?: boolean;
  deleted?: boolean;
}

const examples = [
  'app-registry app list --status AWAITING_REVIEW',
  'app-registry app list --name inv',
  'app-registry app list --deleted',
];

export function appListCommand(): Command {
  const command = new Command('list')
    .description('List the apps, or those that meet every filter: by name with --name, else in the order of their ids.')
    .addOption(new Option('--status <status>', 'where they stand in review').choices(reviewStatuses))
    .option('--developer <id>', 'the user id of their developer, as a TypeID or UUID')
    .option('--name <prefix>', 'how their names begin, whatever their case')
    .option('--changed-since-approval', 'whose content is another one than was approved')
    .option('--no-changed-since-approval', 'whose content is not, or was never approved')
    .addOption(
      new Option('--deleted', 'those instead that "app restore" can bring back').conflicts([
        'status',
        'name',
        'changedSinceApproval',
      ]),
    );
  return pageOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      registryAction<Options>((registry, { options }) => {
        const { status, developer: developerId, name, changedSinceApproval, deleted, cursor, limit } = options;
        return deleted
          ? listDeletedApps(registry, { developerId, cursor, limit })
          : listApps(registry, { status, developerId, name, changedSinceApproval, cursor, limit });
      }),
    );
}
