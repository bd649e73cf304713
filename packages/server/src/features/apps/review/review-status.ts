import Type from 'typebox';
import { openString } from '../../../kernel/problem-details.ts';
import { DateTime } from '../../../kernel/text.ts';

/** Interface section 3. */
export const reviewStatuses = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
export const ReviewStatus = Type.Unsafe<ReviewStatus>({
  $id: 'ReviewStatus',
  type: 'string',
  enum: reviewStatuses,
  description: 'The review status of the app. Updates do not change it.',
});

/** The steps of review. */
export const reviewSteps = ['submit', 'withdraw', 'approve', 'reject', 'reject-change', 'revoke'] as const;
export type ReviewStep = (typeof reviewSteps)[number];

export const AllowedSteps = Type.Array(
  openString(reviewSteps, { description: 'A review step. Later releases may add steps.' }),
  {
    description: 'The review steps that the state of the app allows now, if the scopes of the caller allow them.',
  },
);

/** What a claim of an app means. */
export const claimKinds = ['assignment', 'presence'] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** Who is reviewing an app. */
export const ReviewClaim = Type.Object(
  {
    kind: openString(claimKinds, {
      description:
        '`assignment`: the app is assigned to the actor, and to no one else. `presence`: the actor looks at the app. Later releases may add kinds.',
    }),
    actor: Type.String({ description: 'The actor who claimed it, as in events.' }),
    actorName: Type.Optional(Type.String({ description: 'The name of the actor, if known.' })),
    claimedAt: DateTime,
    expiresAt: Type.Unsafe<string>({
      ...DateTime,
      description:
        'When the claim ends: 15 minutes after an assignment was last made or renewed, and 1 minute after a presence was.',
    }),
  },
  {
    $id: 'ReviewClaim',
    description:
      'Shows who is reviewing an app. A claim does not block decisions, and a decision ends an assignment. A token with the scope `portal` never receives it.',
  },
);
export type ReviewClaim = Type.Static<typeof ReviewClaim>;

/** What an app in review shows of its claims. */
export const claimFields = {
  claim: Type.Optional(ReviewClaim),
  presence: Type.Optional(
    Type.Array(ReviewClaim, { description: 'Who looks at the app now, the caller included; absent if no one does.' }),
  ),
};
