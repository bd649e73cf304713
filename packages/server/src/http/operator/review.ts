import { OperatorApp, ReviewQueueQuery } from '../../contract/operator-app.ts';
import { pageOf } from '../../contract/page.ts';
import { Rejection, type ReviewStep, Revocation } from '../../contract/review.ts';
import type { Registry } from '../../registry/registry.ts';
import { listReviewQueue } from '../../registry/review/list-review-queue.ts';
import { reviewApp } from '../../registry/review/review-app.ts';
import type { Operation } from './operation.ts';

/** What awaits review, and its steps (decision 28). */
export function reviewOperations(registry: Registry): Operation[] {
  const step = (name: ReviewStep): Omit<Operation, 'summary' | 'scope'> => ({
    method: 'POST',
    path: `/operator/v1/apps/:id/${name}`,
    id: `${name}App`,
    ifMatch: 'optional',
    answer: OperatorApp,
    refusals: ['app_not_found', 'review_status_conflict'],
    handle: ({ caller, params: { id: appId }, body: details, ifRevision }) =>
      reviewApp(registry, caller, { appId, step: name, details, ifRevision }),
  });
  return [
    {
      method: 'GET',
      path: '/operator/v1/review-queue',
      id: 'listReviewQueue',
      summary: 'List the apps that await review, longest first',
      description: '`submittedAt` tells since when each does.',
      scope: 'read',
      query: ReviewQueueQuery,
      answer: pageOf(OperatorApp, 'OperatorApp'),
      handle: ({ query }) => listReviewQueue(registry, query),
    },
    { ...step('submit'), summary: 'Submit a draft or a rejected app for review', scope: 'portal' },
    { ...step('withdraw'), summary: 'Take an app out of review again', scope: 'portal' },
    {
      ...step('approve'),
      summary: 'Approve an app that awaits review',
      description: 'The revision that was reviewed is the `ETag` of the app as it was shown then.',
      scope: 'review',
      ifMatch: 'required',
    },
    {
      ...step('reject'),
      summary: 'Reject an app that awaits review',
      description: 'The revision that was reviewed is the `ETag` of the app as it was shown then.',
      scope: 'review',
      body: Rejection,
      ifMatch: 'required',
    },
    { ...step('revoke'), summary: 'Take back the approval of an app', scope: 'review', body: Revocation },
  ];
}
