import Type from 'typebox';
import { AppId } from '../ids.ts';
import { DateTime } from '../text.ts';

/** How long a claim lasts. */
export const claimMs = 900_000;

/** Who is reviewing an app. */
export const ReviewClaim = Type.Object(
  {
    actor: Type.String({ description: 'Who has claimed it, as events say it.' }),
    actorName: Type.Optional(Type.String({ description: 'What people call the actor, if that is known.' })),
    claimedAt: DateTime,
    expiresAt: Type.Unsafe<string>({ ...DateTime, description: '15 minutes after it was last claimed.' }),
  },
  {
    $id: 'ReviewClaim',
    description:
      'Who is reviewing an app. It keeps no one from a decision, and a decision ends it. A token with the scope `portal` never receives it.',
  },
);
export type ReviewClaim = Type.Static<typeof ReviewClaim>;

/** The request to claim an app. */
export const NewClaim = Type.Object(
  {
    takeOver: Type.Optional(Type.Boolean({ description: 'Whether to take over the claim of another reviewer.' })),
  },
  { $id: 'NewClaim', additionalProperties: false },
);
export type NewClaim = Type.Static<typeof NewClaim>;

/** The end of a claim. */
export const EndedClaim = Type.Object(
  { appId: AppId, wasClaimed: Type.Boolean({ description: 'Whether the caller had claimed the app.' }) },
  { $id: 'EndedClaim' },
);
export type EndedClaim = Type.Static<typeof EndedClaim>;
