import { Command } from 'commander';
import type { Revocation } from '../../contract/review/decision.ts';
import type { ReviewStep } from '../../contract/review.ts';
import { commandLine } from '../../registry/registry.ts';
import { reviewApp } from '../../registry/review/review-app.ts';
import type { RevisionName } from '../../registry/revision.ts';
import { example, revisionName } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { type DecisionOptions, decisionDetails, decisionOptions } from './decision-options.ts';

interface Options extends DecisionOptions {
  reason?: string;
  message?: string;
  revision?: RevisionName;
  disableInstallations?: boolean;
}

/** The commands that move an app through review. */
export function reviewCommands(): Command[] {
  return [
    step('submit', 'Submit a draft or rejected app for review.'),
    step('withdraw', 'Withdraw an app from review.'),
    decisionOptions(
      step('approve', 'Approve an app that awaits review, or a change or transfer of an approved app.'),
    ).option('--message <text>', 'a message for the developer'),
    reasoned(step('reject', 'Reject an app that awaits review.')),
    reasoned(
      step(
        'reject-change',
        'Reject a change of an approved app: the approved content stays in effect. Needs the setting changesToApproved "hold".',
      ),
    ),
    reasoned(step('revoke', 'Revoke the approval of an app.')).option(
      '--disable-installations',
      'also disable its installations until the app is approved again',
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
      registryAction<Options>((registry, { args: [appId = ''], options: { revision, ...details } }) =>
        reviewApp(registry, commandLine, {
          appId,
          step: name,
          details: detailsOf(details),
          ifRevision: revision === undefined ? undefined : [revision],
        }),
      ),
    )
    .addHelpText('after', () =>
      example(`app-registry app ${name} app_01jq3v9y6ae0xv5m6b7k8c9d0e${exampleOptions[name]}`),
    );
}

/** Omits what was not given: most steps take no details. */
function detailsOf({ reason, message, disableInstallations, ...decision }: Options): Revocation {
  return {
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...decisionDetails(decision),
    ...(disableInstallations && { disableInstallations }),
  };
}

const exampleOptions: Record<ReviewStep, string> = {
  submit: '',
  withdraw: '',
  approve: ' --revision 7',
  reject: ' --revision 7 --code broken_address --reason "The callback URL does not respond."',
  'reject-change': ' --revision 9 --reason "The new name is that of another product."',
  revoke: ' --reason "The app sends spam." --disable-installations',
};

function reasoned(command: Command): Command {
  return decisionOptions(command).requiredOption('--reason <text>', 'the reason, shared with the developer');
}
