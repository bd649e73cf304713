import { DryRunQuery, orDryRun } from '../dry-run.ts';
import { OperatorApp, ReviewQueueQuery } from '../operator-app.ts';
import { pageOf } from '../page.ts';
import { Rejection, Revocation } from '../review.ts';
import type { OperatorOperation } from './operation.ts';

const app = '/operator/v1/apps/:id';

const step = {
  method: 'POST',
  ifMatch: 'optional',
  response: OperatorApp,
  refusals: ['app_not_found', 'review_status_conflict'],
} as const;

/** The review queue and the steps of review (decision 28). */
export const reviewOperations = {
  listReviewQueue: {
    method: 'GET',
    path: '/operator/v1/review-queue',
    summary: 'List the apps that await review, longest first',
    description: '`submittedAt` is the time since when an app has awaited review.',
    scope: 'read',
    query: ReviewQueueQuery,
    response: pageOf(OperatorApp, 'OperatorApp'),
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
    scope: 'portal',
  },
  approveApp: {
    ...step,
    path: `${app}/approve`,
    refusals: ['app_not_found', 'developer_suspended', 'review_status_conflict'],
    summary: 'Approve an app that awaits review',
    description: 'The revision that was reviewed is the `ETag` of the app as it was shown then.',
    scope: 'review',
    ifMatch: 'required',
  },
  rejectApp: {
    ...step,
    path: `${app}/reject`,
    summary: 'Reject an app that awaits review',
    description: 'The revision that was reviewed is the `ETag` of the app as it was shown then.',
    scope: 'review',
    body: Rejection,
    ifMatch: 'required',
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
} as const satisfies Record<string, OperatorOperation>;
