import { throwIfInvalid } from '../../../kernel/check.ts';
import { DryRunQuery, orDryRun } from '../../../kernel/dry-run.ts';
import { Failure } from '../../../kernel/failure.ts';
import { write } from '../../../kernel/idempotency.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import type { Caller, Registry } from '../../../kernel/registry.ts';
import { type RevisionCondition, requireRevision } from '../../../kernel/revision.ts';
import type { Connection } from '../../../storage/query.ts';
import type { AppRow } from '../../../storage/tables.ts';
import { requireNotSuspended } from '../../developers/suspended-developer.ts';
import type { Change } from '../../events/append-event.ts';
import { disableInstallations, enableInstallations } from '../../installations/installation-changes.ts';
import { findLogoOfDeveloper } from '../../logos/logo-queries.ts';
import { approvedColumns } from '../app-content.ts';
import { OperatorApp } from '../app-schemas.ts';
import { operatorView } from '../app-view.ts';
import { isClaimed, lockApp, readChangesToApproved, storeApp } from '../change-app.ts';
import { nextApp } from '../next-app.ts';
import { Approval, Rejection, Revocation } from './decision.ts';
import { decisionCodes } from './decision-codes.ts';
import { listAppDecisions, recordDecision, type StepDetails } from './decisions.ts';
import { deleteClaim } from './review-queries.ts';
import type { ReviewStep } from './review-status.ts';
import { findNamedRevision, type ReviewedRevision, reviewedRevision } from './reviewed-revision.ts';
import { type ReviewState, requireTransition } from './transitions.ts';

const path = '/operator/v1/apps/:id';

const step = {
  method: 'POST',
  ifMatch: true,
  response: OperatorApp,
  refusals: ['app_not_found', 'review_status_conflict'],
} as const;

const reviewedRevisionOption =
  '<revision> the reviewed revision, by number or ETag; fails if the app has changed since';

const decisionOptions = {
  message: '<text> a message for the developer',
  code: `<code> the reason code: ${decisionCodes.join(', ')}, or a code of your own`,
  fields:
    '--field <path=text> a message about one field, such as "oauthInfo.callbackUrl=It does not respond."; repeatable',
  note: '<text> an internal note for reviewers, never sent to the developer',
};

const submitApp = operation({
  ...step,
  id: 'submitApp',
  path: `${path}/submit`,
  refusals: ['app_not_found', 'developer_suspended', 'review_status_conflict'],
  summary: 'Submit a draft or a rejected app for review',
  scope: 'portal',
  command: {
    name: 'app submit',
    description: 'Submit a draft or rejected app for review.',
    arguments: { id: 'the app id' },
    examples: ['app-registry app submit app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId }, ...condition }) {
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'submit', { registry, appId, condition });
      const { app, changesToApproved, reviewed } = locked;
      const at = registry.now();
      const after = nextApp(app, { review_status: 'AWAITING_REVIEW', submitted_at: at }, { at, changesToApproved });
      const change = stepChange('app.submitted', { before: app, after, reviewed });
      await storeApp(transaction, { caller, at }, { before: app, after, changesToApproved, change });
      return operatorView(registry, after, changesToApproved);
    });
  },
});

const withdrawApp = operation({
  ...step,
  id: 'withdrawApp',
  path: `${path}/withdraw`,
  summary: 'Withdraw an app from review',
  description: 'Returns the app to its status before the submission, draft or rejected.',
  scope: 'portal',
  command: {
    name: 'app withdraw',
    description: 'Withdraw an app from review.',
    arguments: { id: 'the app id' },
    examples: ['app-registry app withdraw app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, caller, params: { id: appId }, ...condition }) {
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'withdraw', { registry, appId, condition });
      const { app, changesToApproved, reviewed } = locked;
      const at = registry.now();
      // An app that was rejected or revoked has a reason until it is approved.
      const status = app.rejection_reason === null ? 'DRAFT' : 'REJECTED';
      const after = nextApp(app, { review_status: status, submitted_at: 0 }, { at, changesToApproved });
      const change = stepChange('app.withdrawn', { before: app, after, reviewed });
      await storeApp(transaction, { caller, at }, { before: app, after, changesToApproved, change });
      await deleteClaim(transaction, { appId });
      return operatorView(registry, after, changesToApproved);
    });
  },
});

/** Approves, and enables the installations that a revocation has disabled, except those that were set since. */
const approveApp = operation({
  ...step,
  id: 'approveApp',
  path: `${path}/approve`,
  summary: 'Approve an app that awaits review, or a change to an approved app',
  description: `A submission can be approved only at its current revision. A change can be approved at an earlier revision: that content is then approved, and later revisions still await review.`,
  scope: 'review',
  body: Approval,
  refusals: [...step.refusals, 'developer_suspended', 'revision_mismatch', 'name_taken', 'revision_archived'],
  command: {
    name: 'app approve',
    description: 'Approve an app that awaits review, or a change or transfer of an approved app.',
    arguments: { id: 'the app id' },
    options: {
      revision:
        '<revision> the reviewed revision, by number or ETag; for a change, may be earlier than the current one; fails if a submission has changed',
      ...decisionOptions,
    },
    converts: { revision: 'revision' },
    confirms: 'Approve',
    examples: ['app-registry app approve app_01jq3v9y6ae0xv5m6b7k8c9d0e --revision 7'],
  },
  async run({ registry, caller, params: { id: appId }, body: { revision, ...details }, ...condition }) {
    const named = await findNamedRevision(registry, { appId, step: 'approve', revision });
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'approve', { registry, appId, condition, revision, named });
      const { app, changesToApproved, reviewed } = locked;
      await requireUsableLogo(transaction, app, reviewed);

      const at = registry.now();
      const approved = {
        review_status: 'APPROVED',
        submitted_at: 0,
        transfer_since: 0,
        rejection_reason: null,
        ...approvedColumns(reviewed.content, reviewed),
        ...(reviewed.nextAt !== null && { change_since: reviewed.nextAt }),
      } as const;
      const after = nextApp(app, approved, { at, changesToApproved });
      const type = app.review_status === 'APPROVED' ? 'app.change_approved' : 'app.approved';
      const change = stepChange(type, { before: app, after, reviewed, details });
      const event = await storeApp(transaction, { caller, at }, { before: app, after, changesToApproved, change });
      if (event) await recordDecision(transaction, { app, step: 'approve', reviewed, details, event });
      await enableInstallations(transaction, { caller, at, appId });
      return operatorView(registry, after, changesToApproved);
    }).catch((error: unknown) => {
      throw isClaimed(error) && named && 'content' in named ? nameTaken(named) : error;
    });
  },
});

const rejectApp = operation({
  ...step,
  id: 'rejectApp',
  path: `${path}/reject`,
  summary: 'Reject an app that awaits review',
  scope: 'review',
  body: Rejection,
  refusals: [...step.refusals, 'revision_mismatch'],
  command: {
    name: 'app reject',
    description: 'Reject an app that awaits review.',
    arguments: { id: 'the app id' },
    options: { revision: reviewedRevisionOption, ...decisionOptions },
    reasonGives: 'message',
    converts: { revision: 'revision' },
    confirms: 'Reject',
    examples: [
      'app-registry app reject app_01jq3v9y6ae0xv5m6b7k8c9d0e --revision 7 --code broken_address --reason "The callback URL does not respond."',
    ],
  },
  async run({ registry, caller, params: { id: appId }, body: { revision, ...details }, ...condition }) {
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'reject', { registry, appId, condition, revision });
      const { app, changesToApproved, reviewed } = locked;
      const context = { caller: withReason(caller, details), at: registry.now() };
      const after = nextApp(app, rejectedColumns(app, details), { at: context.at, changesToApproved });
      const change = stepChange('app.rejected', { before: app, after, reviewed, details });
      const event = await storeApp(transaction, context, { before: app, after, changesToApproved, change });
      if (event) await recordDecision(transaction, { app, step: 'reject', reviewed, details, event });
      return operatorView(registry, after, changesToApproved);
    });
  },
});

const rejectAppChange = operation({
  ...step,
  id: 'rejectAppChange',
  path: `${path}/reject-change`,
  summary: 'Reject a change to an approved app',
  description: `Requires that the setting \`changesToApproved\` is \`hold\`. The approved content stays in effect, and the developer's content is unchanged. If the reviewed revision is the current one, the change leaves the queue until the next change; otherwise later revisions still await review.`,
  scope: 'review',
  body: Rejection,
  refusals: [...step.refusals, 'revision_mismatch', 'revision_archived'],
  command: {
    name: 'app reject-change',
    description:
      'Reject a change to an approved app: the approved content stays in effect. Needs the setting changesToApproved "hold".',
    arguments: { id: 'the app id' },
    options: {
      revision: '<revision> the reviewed revision, by number or ETag; may be earlier than the current one',
      ...decisionOptions,
    },
    reasonGives: 'message',
    converts: { revision: 'revision' },
    confirms: 'Reject the change up to',
    examples: [
      'app-registry app reject-change app_01jq3v9y6ae0xv5m6b7k8c9d0e --revision 9 --reason "The new name is that of another product."',
    ],
  },
  async run({ registry, caller, params: { id: appId }, body: { revision, ...details }, ...condition }) {
    const named = await findNamedRevision(registry, { appId, step: 'reject-change', revision });
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'reject-change', { registry, appId, condition, revision, named });
      const { app, changesToApproved, reviewed } = locked;
      const context = { caller: withReason(caller, details), at: registry.now() };
      const after = nextApp(app, { change_since: reviewed.nextAt ?? 0 }, { at: context.at, changesToApproved });
      const change = stepChange('app.change_rejected', { before: app, after, reviewed, details });
      const event = await storeApp(transaction, context, { before: app, after, changesToApproved, change });
      if (event) await recordDecision(transaction, { app, step: 'reject-change', reviewed, details, event });
      return operatorView(registry, after, changesToApproved);
    });
  },
});

const revokeApp = operation({
  ...step,
  id: 'revokeApp',
  path: `${path}/revoke`,
  summary: 'Revoke the approval of an app',
  scope: 'review',
  query: DryRunQuery,
  body: Revocation,
  response: orDryRun(OperatorApp, 'OperatorApp'),
  affects: ({ params }) => ({ appId: params.id }),
  command: {
    name: 'app revoke',
    description: 'Revoke the approval of an app.',
    arguments: { id: 'the app id' },
    options: {
      ...decisionOptions,
      disableInstallations: 'also disable its installations until the app is approved again',
    },
    reasonGives: 'message',
    examples: [
      'app-registry app revoke app_01jq3v9y6ae0xv5m6b7k8c9d0e --reason "The app sends spam." --disable-installations',
    ],
  },
  async run({ registry, caller, params: { id: appId }, body: details, ...condition }) {
    return write(registry, caller, async (transaction) => {
      const locked = await lockForStep(transaction, 'revoke', { registry, appId, condition });
      const { app, changesToApproved, reviewed } = locked;
      const context = { caller: withReason(caller, details), at: registry.now() };
      const after = nextApp(app, rejectedColumns(app, details), { at: context.at, changesToApproved });
      const change = stepChange('app.revoked', { before: app, after, reviewed, details });
      const event = await storeApp(transaction, context, { before: app, after, changesToApproved, change });
      if (event) await recordDecision(transaction, { app, step: 'revoke', reviewed, details, event });
      if (details.disableInstallations) await disableInstallations(transaction, { ...context, appId });
      return operatorView(registry, after, changesToApproved);
    });
  },
});

/** The review queue, the steps of review and their decisions. */
export const reviewOperations = byId(
  submitApp,
  withdrawApp,
  approveApp,
  rejectApp,
  rejectAppChange,
  revokeApp,
  listAppDecisions,
);

/** The operation of each step. */
export const stepOperations = {
  submit: submitApp,
  withdraw: withdrawApp,
  approve: approveApp,
  reject: rejectApp,
  'reject-change': rejectAppChange,
  revoke: revokeApp,
} as const satisfies Record<ReviewStep, object>;

interface LockInput {
  registry: Registry;
  appId: string;
  condition: RevisionCondition;
  /** The tag of the revision that a decision is about. One about a change may name an earlier one than the current one. */
  revision?: string;
  named?: Awaited<ReturnType<typeof findNamedRevision>>;
}

/**
 * Locks an app for a step, and returns it with the revision that the step is about. Refuses a step that the state of the app
 * does not allow, or whose revision is not the reviewed one.
 */
async function lockForStep(
  transaction: Connection,
  step: ReviewStep,
  { registry, appId, condition, revision, named = null }: LockInput,
): Promise<ReviewState & { reviewed: ReviewedRevision }> {
  // In one round trip.
  const [app, changesToApproved] = await Promise.all([lockApp(transaction, appId), readChangesToApproved(transaction)]);
  requireRevision(registry, app, condition);
  if (step === 'submit' || step === 'approve') requireNotSuspended(app);
  await requireTransition(transaction, step, { app, changesToApproved });
  const reviewed = await reviewedRevision(registry, transaction, { app, step, revision, named });
  return { app, changesToApproved, reviewed };
}

/** The reason in the event is that of the caller, or else the message to the developer. */
function withReason(caller: Caller, { message }: StepDetails): Caller {
  return { ...caller, reason: caller.reason ?? message };
}

function rejectedColumns({ suspended_status }: AppRow, { message }: StepDetails): Partial<AppRow> {
  return {
    review_status: 'REJECTED',
    submitted_at: 0,
    rejection_reason: message ?? null,
    // The status that the end of a suspension restores.
    ...(suspended_status === 'APPROVED' && { suspended_status: 'REJECTED' }),
  };
}

interface StepTaken {
  before: AppRow;
  after: AppRow;
  reviewed: ReviewedRevision;
  details?: StepDetails;
}

/** The data of the event of a step: everything except the note. */
function stepChange(type: Change['type'], { before, after, reviewed, details = {} }: StepTaken): Change {
  const { code, message, fields } = details;
  return {
    type,
    appId: after.id,
    subjectId: after.id,
    before: { reviewStatus: before.review_status },
    after: {
      reviewStatus: after.review_status,
      revision: reviewed.revision,
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
      ...(fields && { fields }),
    },
  } as Change;
}

/** Refuses to approve a logo that is gone or blocked. The approved one stays with a transfer. */
async function requireUsableLogo(
  transaction: Connection,
  app: AppRow,
  { revision, content: { logo_id: id } }: ReviewedRevision,
): Promise<void> {
  if (id === null || revision === app.approved_revision) return;
  const logo = await findLogoOfDeveloper(transaction, { id, developerId: app.developer_id });
  if (logo?.blocked_at === null) return;
  throwIfInvalid([
    {
      pointer: '/logoId',
      code: 'unusable_logo',
      detail: `The logo of revision ${revision} is ${logo ? 'blocked' : 'gone'}. Approve another revision, or have the developer set another logo.`,
    },
  ]);
}

function nameTaken({ revision, content: { name } }: Pick<ReviewedRevision, 'revision' | 'content'>): Failure {
  return new Failure(
    'name_taken',
    `Another app has the name of revision ${revision}, ${JSON.stringify(name)}. Approve another revision, or have one of the apps renamed.`,
  );
}
