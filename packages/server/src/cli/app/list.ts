import { Command, Option } from 'commander';
import { reviewStatuses } from '../../contract/review.ts';
import { listApps } from '../../registry/list-apps.ts';
import { listDeletedApps } from '../../registry/list-deleted-apps.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  status?: string;
  developer?: string;
  name?: string;
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
    .addOption(
      new Option('--deleted', 'those instead that "app restore" can bring back').conflicts(['status', 'name']),
    );
  return pageOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      registryAction<Options>((registry, { options: { status, developer, name, deleted, cursor, limit } }) =>
        deleted
          ? listDeletedApps(registry, { developerId: developer, cursor, limit })
          : listApps(registry, { status, developerId: developer, name, cursor, limit }),
      ),
    );
}
