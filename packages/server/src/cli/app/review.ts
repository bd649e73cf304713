import { Command, InvalidArgumentError } from 'commander';
import type { Approval, Revocation } from '../../features/apps/review/decision.ts';
import { decisionCodes } from '../../features/apps/review/decision-codes.ts';
import type { ReviewStep } from '../../features/apps/review/review-status.ts';
import type { RevisionName } from '../../kernel/revision.ts';
import { changeOptions, reasonOption } from '../change-options.ts';
import { dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, revisionName } from '../options.ts';
import { confirmRevision } from './confirm-revision.ts';

/** The options of every decision. */
interface DecisionOptions {
  message?: string;
  code?: string;
  field?: NonNullable<Approval['fields']>;
  note?: string;
}

interface Options extends DecisionOptions {
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
    decisionOptions(step('approve', 'Approve an app that awaits review, or a change or transfer of an approved app.')),
    reasoned(step('reject', 'Reject an app that awaits review.')),
    reasoned(
      step(
        'reject-change',
        'Reject a change to an approved app: the approved content stays in effect. Needs the setting changesToApproved "hold".',
      ),
    ),
    dryRunOption(
      reasoned(step('revoke', 'Revoke the approval of an app.')).option(
        '--disable-installations',
        'also disable its installations until the app is approved again',
      ),
    ),
  ].map(changeOptions);
}

function step(name: ReviewStep, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the app id')
    .option('--revision <revision>', `the reviewed revision, by number or ETag; ${laterChanges(name)}`, revisionName)
    .action(
      operationAction<Options>(async (run, invocation) => {
        const { args, options } = invocation;
        const [id = ''] = args;
        const verb = verbs[name];
        const ifRevision = verb === undefined ? options.revision : await confirmRevision(run, invocation, verb);
        const { dryRun } = options;
        return run(operations[name], { params: { id }, query: { dryRun }, body: detailsOf(name, options), ifRevision });
      }),
    )
    .addHelpText('after', () => {
      const explanation = name in verbs ? questionHelp : '';
      return explanation + example(`app-registry app ${name} app_01jq3v9y6ae0xv5m6b7k8c9d0e${exampleOptions[name]}`);
    });
}

function laterChanges(step: ReviewStep): string {
  if (step === 'approve') return 'for a change, may be earlier than the current one; fails if a submission has changed';
  if (step === 'reject-change') return 'may be earlier than the current one';
  return 'fails if the app has changed since';
}

/** The reason of a rejection without a message is its message too. Any other is only for its event. */
function detailsOf(step: ReviewStep, { reason, message, disableInstallations, ...decision }: Options): Revocation {
  const isRejection = step === 'reject' || step === 'reject-change' || step === 'revoke';
  return {
    ...decisionDetails(decision),
    ...(message !== undefined && { message }),
    ...(isRejection && message === undefined && reason !== undefined && { reason }),
    ...(disableInstallations && { disableInstallations }),
  };
}

/** What each step is called in the operator API. Only a revocation can be tried. */
const operations = {
  submit: 'submitApp',
  withdraw: 'withdrawApp',
  approve: 'approveApp',
  reject: 'rejectApp',
  'reject-change': 'rejectChange',
  revoke: 'revokeApp',
} as const;

/** How the question of a decision begins. */
const verbs: { [Step in ReviewStep]?: string } = {
  approve: 'Approve',
  reject: 'Reject',
  'reject-change': 'Reject the change up to',
};

const questionHelp = `
Without --revision, on a terminal, the command shows how the current revision differs from the approved one and prompts
for confirmation. Scripts must name the reviewed revision with --revision.
`;

const exampleOptions: Record<ReviewStep, string> = {
  submit: '',
  withdraw: '',
  approve: ' --revision 7',
  reject: ' --revision 7 --code broken_address --reason "The callback URL does not respond."',
  'reject-change': ' --revision 9 --reason "The new name is that of another product."',
  revoke: ' --reason "The app sends spam." --disable-installations',
};

/** The developer must know why. */
function reasoned(command: Command): Command {
  return decisionOptions(command)
    .addOption(
      reasonOption('the reason, recorded in the event; also the message for the developer unless --message is given'),
    )
    .hook('preAction', (reasoning) => {
      const { message, reason } = reasoning.opts<Options>();
      if (message === undefined && reason === undefined) reasoning.error('error: give --message or --reason');
    });
}

/** Adds the options of every decision to a command. */
function decisionOptions(command: Command): Command {
  return command
    .option('--message <text>', 'a message for the developer')
    .option('--code <code>', `the reason code: ${decisionCodes.join(', ')}, or a code of your own`)
    .option(
      '--field <path=text>',
      'a message about one field, such as "oauthInfo.callbackUrl=It does not respond."; repeatable',
      fieldMessage,
    )
    .option('--note <text>', 'an internal note for reviewers, never sent to the developer');
}

function decisionDetails({ code, field: fields, note }: DecisionOptions): Approval {
  return { ...(code !== undefined && { code }), ...(fields && { fields }), ...(note !== undefined && { note }) };
}

function fieldMessage(text: string, others: DecisionOptions['field'] = []): DecisionOptions['field'] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new InvalidArgumentError('It must be a field and a message, such as "name=It is that of another app."');
  const pointer = `/${text.slice(0, at).replaceAll('.', '/')}`;
  return [...others, { pointer, message: text.slice(at + 1) }];
}
