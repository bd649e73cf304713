import Type from 'typebox';
import { pageOf, pageParameters, totalFields, totalParameter } from '../../../kernel/page-parameters.ts';
import { openString } from '../../../kernel/problem-details.ts';
import { DateTime } from '../../../kernel/text.ts';
import { OperatorApp } from '../operator-app.ts';
import { DecisionSummary } from './decision.ts';
import { AllowedSteps, ReviewClaim } from './review-status.ts';
import { ReviewWarning } from './warnings/review-warning.ts';

/** What in the queue awaits a decision. */
export const queueKinds = ['submission', 'change', 'transfer'] as const;
export type QueueKind = (typeof queueKinds)[number];

const FieldPath = Type.String({ description: 'A field of the content.', examples: ['oauthInfo.callbackUrl'] });

const Difference = Type.Object({
  field: FieldPath,
  before: Type.Optional(Type.String({ description: 'The approved value; absent when there is none.' })),
  after: Type.Optional(Type.String({ description: 'The current value; absent when there is none.' })),
});

/** An app in the review queue. */
export const QueueItem = Type.Object(
  {
    kind: openString(queueKinds, {
      description:
        'What to decide on: `submission`, a submitted app; `change`, changed content of an approved app; `transfer`, the new developer of an approved app, with its change, if any. Later releases may add kinds.',
    }),
    waitingSince: Type.Unsafe<string>({
      ...DateTime,
      description: 'The time of the submission, of the oldest undecided change, or of the transfer.',
    }),
    app: OperatorApp,
    revisions: Type.Object(
      {
        from: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The approved revision; absent if the app was never approved.' }),
        ),
        to: Type.Integer({ minimum: 1, description: 'The current revision.' }),
        count: Type.Integer({ minimum: 0, description: 'The number of revisions after the approved one.' }),
      },
      { description: 'The revisions to decide on.' },
    ),
    fields: Type.Array(FieldPath, {
      description: 'The fields that differ from the approved content; if there is none, the fields with a value.',
    }),
    difference: Type.Array(Difference, { description: 'The same fields with their values.' }),
    sinceLastDecision: Type.Optional(
      Type.Object(
        {
          decision: DecisionSummary,
          fields: Type.Array(FieldPath, { description: 'The fields that differ from the content last decided on.' }),
          isUnchanged: Type.Boolean({
            description: 'Whether the content is the same as at the last decision.',
          }),
        },
        { description: 'The changes since the last decision; absent if no decision is stored.' },
      ),
    ),
    warnings: Type.Array(ReviewWarning, {
      description: 'Findings in the current content that a reviewer should check.',
    }),
    reviewSteps: AllowedSteps,
    claim: Type.Optional(ReviewClaim),
  },
  { $id: 'QueueItem', description: 'An app in the review queue.' },
);
export type QueueItem = Type.Static<typeof QueueItem>;

/** A page of the review queue and, if requested, how many apps are in it. */
export const QueueItemPage = Type.Object(
  { ...pageOf(QueueItem, 'QueueItem').properties, ...totalFields },
  { $id: 'QueueItemPage', description: 'One page of the review queue, with `total` if `withTotal` is true.' },
);
export type QueueItemPage = Type.Static<typeof QueueItemPage>;

/** The query of a page of the review queue. */
export const ReviewQueueQuery = Type.Object(
  {
    kind: Type.Optional(
      Type.Unsafe<QueueKind>({ type: 'string', enum: queueKinds, description: 'Only items of this kind.' }),
    ),
    developerId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only apps of this developer.' }),
    ),
    waitingBefore: Type.Optional(
      Type.Unsafe<string>({ ...DateTime, description: 'Only items waiting since before this time.' }),
    ),
    hasWarnings: Type.Optional(
      Type.Boolean({
        description:
          'Only apps with a warning, or only apps without one. Each page searches a bounded number of apps and may have no items.',
      }),
    ),
    newestFirst: Type.Optional(Type.Boolean({ description: 'Whether the shortest waiting come first.' })),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type ReviewQueueQuery = Type.Static<typeof ReviewQueueQuery>;
