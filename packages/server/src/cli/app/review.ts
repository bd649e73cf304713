import { Command } from 'commander';
import type { ReviewStep, Revocation } from '../../contract/review.ts';
import { runOrTry } from '../../registry/dry-run/dry-run.ts';
import { commandLine } from '../../registry/registry.ts';
import { reviewApp } from '../../registry/review/review-app.ts';
import type { RevisionName } from '../../registry/revision.ts';
import { dryRunOption } from '../dry-run-option.ts';
import { example, revisionName } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  reason?: string;
  revision?: RevisionName;
  disableInstallations?: boolean;
  dryRun?: boolean;
}

/** The commands that move an app through review. */
export function reviewCommands(): Command[] {
  return [
    step('submit', 'Submit a draft or rejected app for review.'),
    step('withdraw', 'Withdraw an app from review.'),
    step('approve', 'Approve an app that awaits review.'),
    reasoned(step('reject', 'Reject an app that awaits review.')),
    dryRunOption(
      reasoned(step('revoke', 'Revoke the approval of an app.')).option(
        '--disable-installations',
        'also disable its installations until the app is approved again',
      ),
    ),
  ];
}

function step(name: ReviewStep, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the app id')
    .option(
      '--revision <revision>',
      'the reviewed revision, as its number or its ETag; fails if the app has changed since',
      revisionName,
    )
    .action(
      registryAction<Options>((registry, { args: [appId = ''], options: { revision, dryRun, ...details } }) =>
        runOrTry(registry, { dryRun, scope: { appId } }, (tried) =>
          reviewApp(tried, commandLine, {
            appId,
            step: name,
            details: detailsOf(details),
            ifRevision: revision === undefined ? undefined : [revision],
          }),
        ),
      ),
    )
    .addHelpText('after', () =>
      example(`app-registry app ${name} app_01jq3v9y6ae0xv5m6b7k8c9d0e${exampleOptions[name]}`),
    );
}

/** Omits what was not given: most steps take no details. */
function detailsOf({ reason, disableInstallations }: Options): Partial<Revocation> {
  return { ...(reason !== undefined && { reason }), ...(disableInstallations && { disableInstallations }) };
}

const exampleOptions: Record<ReviewStep, string> = {
  submit: '',
  withdraw: '',
  approve: ' --revision 7',
  reject: ' --revision 7 --reason "The callback URL does not respond."',
  revoke: ' --reason "The app sends spam." --disable-installations',
};

function reasoned(command: Command): Command {
  return command.requiredOption('--reason <text>', 'the reason, shared with the developer');
}
