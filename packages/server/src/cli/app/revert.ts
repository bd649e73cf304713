import { Command } from 'commander';
import type { RevisionName } from '../../kernel/revision.ts';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, revisionName, wholeNumber } from '../options.ts';

interface Options {
  toApproved?: true;
  toRevision?: number;
  toTime?: string;
  reason?: string;
  revision?: RevisionName;
}

const examples = [
  'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-approved --reason "The account was taken over."',
  'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-revision 7',
  'app-registry app revert app_01jq3v9y6ae0xv5m6b7k8c9d0e --to-time 2026-03-01T09:30:00Z',
];

export function appRevertCommand(): Command {
  const command = new Command('revert')
    .description(
      'Restore earlier content of an app as a new revision. For an approved app, content other than the approved content awaits review. Give exactly one of --to-approved, --to-revision and --to-time.',
    )
    .argument('<id>', 'the app id')
    .option('--to-approved', 'restore the last approved content')
    .option('--to-revision <number>', 'restore the content of this revision', wholeNumber)
    .option('--to-time <time>', 'restore the content at a UTC time such as 2026-03-01T09:30:00Z')
    .option(
      '--revision <revision>',
      'the current revision, by number or ETag; fails if the app has changed since',
      revisionName,
    );
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { args: [id = ''], options }) => {
        const { toApproved, toRevision, toTime, reason, revision } = options;
        const given = Object.entries({ toApproved, toRevision, toTime, reason }).filter(
          ([, value]) => value !== undefined,
        );
        return run('revertApp', { params: { id }, body: Object.fromEntries(given), ifRevision: revision });
      }),
    );
}
