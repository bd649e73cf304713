import Type from 'typebox';

/** Interface section 3. */
export const reviewStatuses = ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
export const ReviewStatus = Type.Unsafe<ReviewStatus>({
  $id: 'ReviewStatus',
  type: 'string',
  enum: reviewStatuses,
  description: 'Where the app stands in review. No update changes it.',
});

/** Why an app is rejected or revoked, told to its developer. */
export const ReviewReason = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 2000, format: 'multi-line' }) },
  { additionalProperties: false },
);
