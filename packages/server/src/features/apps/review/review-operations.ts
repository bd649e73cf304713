import { DryRunQuery, orDryRun } from '../../../kernel/dry-run-result.ts';
import type { OperatorOperation } from '../../../kernel/operation-declaration.ts';
import { OperatorApp } from '../operator-app.ts';
import { Approval, DecisionPage, DecisionQuery, Rejection, Revocation } from './decision.ts';
import { QueueItemPage, ReviewQueueQuery } from './review-queue.ts';

const app = '/operator/v1/apps/:id';

const step = {
  method: 'POST',
  ifMatch: 'optional',
  response: OperatorApp,
  refusals: ['app_not_found', 'review_status_conflict'],
} as const;

const reviewed = '`If-Match` must be the `ETag` of the app as it was reviewed.';

/** The review queue, the steps of review and their decisions (decision 28). */
export const reviewOperations = {
  listReviewQueue: {
    method: 'GET',
    path: '/operator/v1/apps/queue',
    summary: 'List what awaits review',
    description:
      'Lists submitted apps, and approved apps with changed content or a new developer, longest waiting first. Each item shows how it differs from the approved content and from the content last decided on. With `hasWarnings`, each page searches a bounded number of apps: follow `nextCursor` until there is none, even if a page has no items.',
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
    summary: 'Withdraw an app from review',
    description: 'Returns the app to its status before the submission, draft or rejected.',
    scope: 'portal',
  },
  approveApp: {
    ...step,
    path: `${app}/approve`,
    summary: 'Approve an app that awaits review, or a change to an approved app',
    description: `${reviewed} A submission can be approved only at its current revision. A change can be approved at an earlier revision: that content is then approved, and later revisions still await review.`,
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
    summary: 'Reject a change to an approved app',
    description: `Requires that the setting \`changesToApproved\` is \`hold\`. ${reviewed} The approved content stays in effect, and the developer's content is unchanged. If the reviewed revision is the current one, the change leaves the queue until the next change; otherwise later revisions still await review.`,
    scope: 'review',
    body: Rejection,
    ifMatch: 'required',
    refusals: [...step.refusals, 'revision_archived'],
  },
  revokeApp: {
    ...step,
    path: `${app}/revoke`,
    summary: 'Revoke the approval of an app',
    scope: 'review',
    query: DryRunQuery,
    body: Revocation,
    response: orDryRun(OperatorApp, 'OperatorApp'),
  },
  listDecisions: {
    method: 'GET',
    path: `${app}/decisions`,
    summary: 'List the decisions about an app, newest first',
    description: 'A token with the scope `portal` never receives a `note`.',
    scope: 'read',
    query: DecisionQuery,
    response: DecisionPage,
    refusals: ['app_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
