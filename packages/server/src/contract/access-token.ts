import Type from 'typebox';
import { DateTime } from './text.ts';

export const tokenKinds = ['developer', 'platform', 'operator'] as const;
export type TokenKind = (typeof tokenKinds)[number];
const TokenKind = Type.Unsafe<TokenKind>({ type: 'string', enum: tokenKinds });

const dayMs = 86_400_000;

/** How long a token lives unless asked otherwise, and at most (decision 29). */
export const tokenLifeMs = { default: 90 * dayMs, max: 366 * dayMs };

/** What issues a token. A token of kind `developer` is bound to one developer. */
export const NewAccessToken = Type.Object(
  {
    kind: TokenKind,
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, format: 'single-line' })),
    lifeMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: tokenLifeMs.max })),
  },
  { additionalProperties: false },
);
export type NewAccessToken = Type.Static<typeof NewAccessToken>;

/** A token without its secret. */
export const AccessToken = Type.Object({
  id: Type.String(),
  kind: TokenKind,
  developerId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  createdAt: DateTime,
  expiresAt: DateTime,
  revokedAt: Type.Optional(DateTime),
});
export type AccessToken = Type.Static<typeof AccessToken>;
