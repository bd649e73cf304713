import Type from 'typebox';
import { AppId } from '../../../../kernel/ids.ts';
import { DateTime } from '../../../../kernel/text.ts';

/** How long a claim lasts. */
export const claimMs = 900_000;

/** Who is reviewing an app. */
export const ReviewClaim = Type.Object(
  {
    actor: Type.String({ description: 'The actor who claimed it, as in events.' }),
    actorName: Type.Optional(Type.String({ description: 'The name of the actor, if known.' })),
    claimedAt: DateTime,
    expiresAt: Type.Unsafe<string>({
      ...DateTime,
      description: 'When the claim ends: 15 minutes after it was last made or renewed.',
    }),
  },
  {
    $id: 'ReviewClaim',
    description:
      'Shows who is reviewing an app. A claim does not block decisions, and a decision ends it. A token with the scope `portal` never receives it.',
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
