import Type from 'typebox';
import { openString } from '../../../kernel/problem-details.ts';

/** Interface section 3. */
export const reviewStatuses = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
export const ReviewStatus = Type.Unsafe<ReviewStatus>({
  $id: 'ReviewStatus',
  type: 'string',
  enum: reviewStatuses,
  description: 'The review status of the app. Updates do not change it.',
});

/** The steps of review (decision 28). */
export const reviewSteps = ['submit', 'withdraw', 'approve', 'reject', 'reject-change', 'revoke'] as const;
export type ReviewStep = (typeof reviewSteps)[number];

export const AllowedSteps = Type.Array(
  openString(reviewSteps, { description: 'A review step. Later releases may add steps.' }),
  {
    description: 'The review steps that the state of the app allows now, if the scopes of the caller allow them.',
  },
);

/** The steps that are no decisions have no details. */
export const NoDetails = Type.Object({}, { additionalProperties: false });
