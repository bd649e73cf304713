import Type from 'typebox';

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
export const reviewSteps = ['submit', 'withdraw', 'approve', 'reject', 'revoke'] as const;
export type ReviewStep = (typeof reviewSteps)[number];

const Reason = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'multi-line',
  description: 'The reason, shared with the developer.',
  examples: ['The callback URL does not respond.'],
});

/** The details of a rejection. */
export const Rejection = Type.Object({ reason: Reason }, { $id: 'Rejection', additionalProperties: false });
export type Rejection = Type.Static<typeof Rejection>;

/** The details of a revocation. */
export const Revocation = Type.Object(
  {
    reason: Reason,
    disableInstallations: Type.Optional(
      Type.Boolean({ description: 'Whether to disable all installations until the app is approved again.' }),
    ),
  },
  { $id: 'Revocation', additionalProperties: false },
);
export type Revocation = Type.Static<typeof Revocation>;

/** The other steps have no details. */
export const NoDetails = Type.Object({}, { additionalProperties: false });
