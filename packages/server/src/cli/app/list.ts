import { Command, Option } from 'commander';
import { reviewStatuses } from '../../contract/review/review-status.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';

interface Options extends PageOptions {
  status?: string;
  developer?: string;
  name?: string;
  host?: string;
  changedSinceApproval?: boolean;
  deleted?: boolean;
}

const examples = [
  'app-registry app list --status AWAITING_REVIEW',
  'app-registry app list --name inv',
  'app-registry app list --host evil.example',
  'app-registry app list --deleted',
];

const columns = ['id', 'name', 'reviewStatus', 'developerId', 'updatedAt'];

export function appListCommand(): Command {
  const command = new Command('list')
    .description('List the apps that match every filter, by host with --host, by name with --name, otherwise by id.')
    .addOption(choiceOption('--status <status>', 'their review status', reviewStatuses))
    .option('--developer <id>', 'the user id of their developer, as a TypeID or UUID')
    .option('--name <prefix>', 'a prefix of the name, in any case')
    .option('--host <host>', 'apps whose current or approved login or callback URL is at this host or below it')
    .option('--changed-since-approval', 'only apps whose content differs from the approved content')
    .option('--no-changed-since-approval', 'only apps whose content does not differ, or was never approved')
    .addOption(
      new Option('--deleted', 'deleted apps that "app restore" can restore').conflicts([
        'status',
        'name',
        'host',
        'changedSinceApproval',
      ]),
    );
  return pageOptions(command, columns)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { options }) => {
        const { status, developer: developerId, name, host, changedSinceApproval, deleted, cursor, limit } = options;
        return deleted
          ? run('listDeletedApps', { query: { developerId, cursor, limit } })
          : run('listApps', { query: { status, developerId, name, host, changedSinceApproval, cursor, limit } });
      }),
    );
}
