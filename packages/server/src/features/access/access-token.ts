import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import Type from 'typebox';
import { Failure } from '../../kernel/failure.ts';
import { TokenId, UserId } from '../../kernel/ids.ts';
import { pageParameters, sortParameter, totalParameter } from '../../kernel/page.ts';
import { type TokenKind, type TokenScope, tokenKinds, tokenScopes } from '../../kernel/registry.ts';
import { DateTime } from '../../kernel/text.ts';
import { dateTime } from '../../kernel/time.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';

const Kind = Type.Unsafe<TokenKind>({ type: 'string', enum: tokenKinds });
const TokenScopes = Type.Array(Type.Unsafe<TokenScope>({ type: 'string', enum: tokenScopes }), {
  minItems: 1,
  uniqueItems: true,
  description:
    'For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.',
});

const daySeconds = 86_400;

/** The lifetime of a token in seconds: the default and the maximum (decision 29). */
export const tokenLifetimeSeconds = { default: 90 * daySeconds, max: 366 * daySeconds };

/** The rate limit of one token, instead of the configured default; 0 means no limit (decision 32). */
const PerMinute = Type.Integer({ minimum: 0, maximum: 999_999_999 });

/** The request to issue a token. A token of kind `developer` is bound to one developer. */
export const NewAccessToken = Type.Object(
  {
    kind: Kind,
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    scopes: Type.Optional(TokenScopes),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, format: 'single-line' })),
    expiresIn: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: tokenLifetimeSeconds.max,
        description: 'The lifetime in seconds. Absent: 90 days.',
      }),
    ),
    updatesPerMinute: Type.Optional(PerMinute),
    readsPerMinute: Type.Optional(PerMinute),
  },
  { $id: 'NewAccessToken', additionalProperties: false },
);
export type NewAccessToken = Type.Static<typeof NewAccessToken>;

/** A token without its secret. */
export const AccessToken = Type.Object(
  {
    id: TokenId,
    kind: Kind,
    developerId: Type.Optional(UserId),
    scopes: Type.Optional(TokenScopes),
    name: Type.Optional(Type.String()),
    createdAt: DateTime,
    expiresAt: DateTime,
    updatesPerMinute: Type.Optional(PerMinute),
    readsPerMinute: Type.Optional(PerMinute),
    revokedAt: Type.Optional(DateTime),
  },
  { $id: 'AccessToken', description: 'An access token without its secret.' },
);
export type AccessToken = Type.Static<typeof AccessToken>;

const tokenSorts = ['id', 'expiresAt'] as const;

/** The query of a list of tokens. */
export const AccessTokenQuery = Type.Object(
  {
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    kind: Type.Optional(Kind),
    ...sortParameter(tokenSorts),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AccessTokenQuery = Type.Static<typeof AccessTokenQuery>;

/** An issued token: the only response that contains its secret. */
export const IssuedAccessToken = Type.Object(
  { ...AccessToken.properties, token: Type.String({ description: 'Shown only once, and never stored.' }) },
  { $id: 'IssuedAccessToken' },
);
export type IssuedAccessToken = Type.Static<typeof IssuedAccessToken>;

const TokenStatus = Type.Unsafe<'active' | 'expired' | 'revoked'>({
  type: 'string',
  enum: ['active', 'expired', 'revoked'],
});

/** A token as lists show it. */
export const ListedAccessToken = Type.Object(
  {
    ...AccessToken.properties,
    lastUsedAt: Type.Optional(
      Type.String({
        ...DateTime,
        description:
          'The start of the hour of its last use, or its time of issue if that is later. Absent if no use is recorded.',
      }),
    ),
    status: TokenStatus,
    suspended: Type.Optional(
      Type.Literal(true, {
        description: 'Present while its developer is suspended; the token is blocked until the suspension ends.',
      }),
    ),
  },
  { $id: 'ListedAccessToken' },
);
export type ListedAccessToken = Type.Static<typeof ListedAccessToken>;

/** How many tokens of a developer were revoked. */
export const RevokedTokens = Type.Object(
  { developerId: UserId, tokensRevoked: Type.Integer({ minimum: 0 }) },
  { $id: 'RevokedTokens' },
);
export type RevokedTokens = Type.Static<typeof RevokedTokens>;

/** The view of a token, without its secret. */
export function accessTokenView(token: AccessTokenRow): AccessToken {
  return {
    id: token.id,
    kind: token.kind,
    ...(token.developer_id !== null && { developerId: token.developer_id }),
    ...(token.scopes !== null && { scopes: scopesOf(token) }),
    ...(token.name !== null && { name: token.name }),
    createdAt: dateTime(token.created_at),
    expiresAt: dateTime(token.expires_at),
    ...(token.updates_per_minute !== null && { updatesPerMinute: token.updates_per_minute }),
    ...(token.reads_per_minute !== null && { readsPerMinute: token.reads_per_minute }),
    ...(token.revoked_at !== null && { revokedAt: dateTime(token.revoked_at) }),
  };
}

/** The scopes of an operator token. */
export function scopesOf({ scopes }: Pick<AccessTokenRow, 'scopes'>): TokenScope[] {
  return scopes === null ? [] : scopes.split(' ').filter(isTokenScope);
}

function isTokenScope(text: string): text is TokenScope {
  return tokenScopes.some((scope) => scope === text);
}

export function tokenNotFound(id: string): Failure {
  return new Failure('token_not_found', `No token has the id ${id}. Check the id.`);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBytesCount = 24;
const randomDigits = 33;
const checksumDigits = 6;
const shape = /^appreg_([a-z]+)_[0-9A-Za-z]{39}$/;

/** The use of a secret of this shape: a token of a kind, a session, or a code that opens a session. */
type SecretKind = TokenKind | 'session' | 'code';

/**
 * A new token of decision 29. Secret scanners recognise its shape, 192 random bits make it unguessable, and a checksum
 * detects typing errors without a query.
 */
export function newTokenText(kind: SecretKind): string {
  const text = `appreg_${kind}_${randomText()}`;
  return text + checksumOf(text);
}

/** Whether a text has the shape and checksum of a token, or of another secret of these kinds. */
export function isTokenText(text: string, kinds: readonly SecretKind[] = tokenKinds): boolean {
  const [, kind] = shape.exec(text) ?? [];
  return kinds.some((one) => one === kind) && text.endsWith(checksumOf(text.slice(0, -checksumDigits)));
}

/** The form in which a token is stored and compared. */
export function hashOfToken(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksumOf(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < checksumDigits; rest = Math.floor(rest / 62)) {
    digits = alphabet[rest % 62] + digits;
  }
  return digits;
}

function randomText(): string {
  let text = '';
  let rest = BigInt(`0x${randomBytes(randomBytesCount).toString('hex')}`);
  for (; text.length < randomDigits; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
