import { DryRunQuery, orDryRun } from '../dry-run.ts';
import { OperatorApp } from '../operator-app.ts';
import { Approval, DecisionPage, DecisionQuery, Rejection, Revocation } from '../review/decision.ts';
import { QueueItemPage, ReviewQueueQuery } from '../review/review-queue.ts';
import type { OperatorOperation } from './operation.ts';

const app = '/operator/v1/apps/:id';

const step = {
  method: 'POST',
  ifMatch: 'optional',
  response: OperatorApp,
  refusals: ['app_not_found', 'review_status_conflict'],
} as const;

const reviewed = 'The revision that was reviewed is the `ETag` of the app as it was shown then.';

/** The review queue, the steps of review and their decisions (decision 28). */
export const reviewOperations = {
  listReviewQueue: {
    method: 'GET',
    path: '/operator/v1/apps/queue',
    summary: 'List what awaits review',
    description:
      'Submitted apps, and approved apps with changed content or a new developer, longest waiting first. Each with how it differs from what was approved, and from what was last decided on. With `hasWarnings` the apps are searched, a bounded part for each page: follow `nextCursor` until there is none, also when a page has no items.',
    scope: 'read',
    query: ReviewQueueQuery,
    response: QueueItemPage,
  },
  submitApp: {
    ...step,
    path: `${app}/submit`,
    refusals: ['app_not_found', 'developer_suspended', 'review_status_conflict'],
    summary: 'Submit a draft or a rejected app for review',
    scope: 'portal',
  },
  withdrawApp: {
    ...step,
    path: `${app}/withdraw`,
    summary: 'Take an app out of review again',
    description: 'It is a draft or rejected again, as before the submission.',
    scope: 'portal',
  },
  approveApp: {
    ...step,
    path: `${app}/approve`,
    summary: 'Approve an app that awaits review, or a change of an approved app',
    description: `${reviewed} A submission is approved at its current revision only. A change may be approved at an earlier one: its content is then approved, and later revisions still await review.`,
    scope: 'review',
    body: Approval,
    isBodyOptional: true,
    ifMatch: 'required',
    refusals: [...step.refusals, 'name_taken', 'revision_archived'],
  },
  rejectApp: {
    ...step,
    path: `${app}/reject`,
    summary: 'Reject an app that awaits review',
    description: reviewed,
    scope: 'review',
    body: Rejection,
    ifMatch: 'required',
  },
  rejectChange: {
    ...step,
    path: `${app}/reject-change`,
    summary: 'Reject a change of an approved app',
    description: `Only while the setting \`changesToApproved\` is \`hold\`. ${reviewed} The approved content stays in effect and the developer's content stays as it is. If it names the current revision, the change leaves the queue until the next change; otherwise later revisions still await review.`,
    scope: 'review',
    body: Rejection,
    ifMatch: 'required',
    refusals: [...step.refusals, 'revision_archived'],
  },
  revokeApp: {
    ...step,
    path: `${app}/revoke`,
    summary: 'Take back the approval of an app',
    scope: 'review',
    query: DryRunQuery,
    body: Revocation,
    response: orDryRun(OperatorApp, 'OperatorApp'),
  },
  listDecisions: {
    method: 'GET',
    path: `${app}/decisions`,
    summary: 'List the decisions about an app, newest first',
    description:
      'Those of this release and later ones; events have earlier ones. A token with the scope `portal` never receives a `note`.',
    scope: 'read',
    query: DecisionQuery,
    response: DecisionPage,
    refusals: ['app_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
