import { EndedClaim, NewClaim, ReviewClaim } from '../review/review-claim.ts';
import type { OperatorOperation } from './operation.ts';

const app = '/operator/v1/apps/:id';

/** Who is reviewing which app. */
export const reviewClaimOperations = {
  claimApp: {
    method: 'POST',
    path: `${app}/claim`,
    summary: 'Claim an app for its review',
    description:
      'Shows the other reviewers for 15 minutes who is reviewing the app; a repeat renews that. A claim keeps no one from a decision. It ends with each decision and when the app is withdrawn or deleted, and it is no event.',
    scope: 'review',
    body: NewClaim,
    isBodyOptional: true,
    response: ReviewClaim,
    refusals: ['app_not_found', 'app_claimed'],
  },
  releaseApp: {
    method: 'POST',
    path: `${app}/release`,
    summary: 'End the own claim of an app',
    scope: 'review',
    response: EndedClaim,
    refusals: ['app_not_found', 'app_claimed'],
  },
} as const satisfies Record<string, OperatorOperation>;
