import Type from 'typebox';
import { pageParameters } from './page.ts';
import { DateTime } from './text.ts';

export const tokenKinds = ['developer', 'platform', 'operator'] as const;
export type TokenKind = (typeof tokenKinds)[number];
const TokenKind = Type.Unsafe<TokenKind>({ type: 'string', enum: tokenKinds });

const dayMs = 86_400_000;

/** How long a token lives unless asked otherwise, and at most (decision 29). */
export const tokenLifeMs = { default: 90 * dayMs, max: 366 * dayMs };

/** A limit of one token, in place of the common one; 0 means no limit (decision 32). */
const PerMinute = Type.Integer({ minimum: 0, maximum: 999_999_999 });

/** What issues a token. A token of kind `developer` is bound to one developer. */
export const NewAccessToken = Type.Object(
  {
    kind: TokenKind,
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, format: 'single-line' })),
    lifeMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: tokenLifeMs.max })),
    updatesPerMinute: Type.Optional(PerMinute),
    readsPerMinute: Type.Optional(PerMinute),
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
  updatesPerMinute: Type.Optional(PerMinute),
  readsPerMinute: Type.Optional(PerMinute),
  revokedAt: Type.Optional(DateTime),
});
export type AccessToken = Type.Static<typeof AccessToken>;

/** What asks for a list of tokens. */
export const AccessTokenQuery = Type.Object(
  {
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    kind: Type.Optional(TokenKind),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AccessTokenQuery = Type.Static<typeof AccessTokenQuery>;

/** A token as a list tells it. */
export type ListedAccessToken = AccessToken & { status: 'active' | 'expired' | 'revoked' };
