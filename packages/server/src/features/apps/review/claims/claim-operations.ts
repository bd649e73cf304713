import type { OperatorOperation } from '../../../../kernel/operation-declaration.ts';
import { EndedClaim, NewClaim, ReviewClaim } from './review-claim.ts';

const app = '/operator/v1/apps/:id';

/** Who is reviewing which app. */
export const reviewClaimOperations = {
  claimApp: {
    method: 'POST',
    path: `${app}/claim`,
    summary: 'Claim an app for review',
    description:
      'Shows other reviewers for 15 minutes who is reviewing the app; claiming it again renews the claim. A claim does not block decisions. It ends with a decision and when the app is withdrawn or deleted. Claims are not recorded as events.',
    scope: 'review',
    body: NewClaim,
    isBodyOptional: true,
    response: ReviewClaim,
    refusals: ['app_not_found', 'app_claimed'],
  },
  releaseApp: {
    method: 'POST',
    path: `${app}/release`,
    summary: 'Release your claim of an app',
    scope: 'review',
    response: EndedClaim,
    refusals: ['app_not_found', 'app_claimed'],
  },
} as const satisfies Record<string, OperatorOperation>;
