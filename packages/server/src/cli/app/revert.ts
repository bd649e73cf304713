import { Command } from 'commander';
import type { RevisionName } from '../../registry/revision.ts';
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
      'Bring earlier content of an app back, as a new revision. Unless it is the approved content, that of an approved app is a change to review. Give exactly one of --to-approved, --to-revision and --to-time.',
    )
    .argument('<id>', 'the app id')
    .option('--to-approved', 'the content that was last approved')
    .option('--to-revision <number>', 'the content of this revision', wholeNumber)
    .option('--to-time <time>', 'the content that the app had at a UTC time such as 2026-03-01T09:30:00Z')
    .option(
      '--revision <revision>',
      'the current revision, as its number or its ETag; fails if the app has changed since',
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
