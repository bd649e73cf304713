import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import Type from 'typebox';
import { Failure } from '../../kernel/failure.ts';
import { TokenId, UserId } from '../../kernel/ids.ts';
import { pageParameters, sortParameter, timeParameters, totalParameter } from '../../kernel/page.ts';
import { type Registry, type TokenKind, type TokenScope, tokenKinds, tokenScopes } from '../../kernel/registry.ts';
import { entityTag } from '../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag } from '../../kernel/text.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { findSoonestExpiry, updateLastUsedAt } from './access-queries.ts';

const Kind = Type.Unsafe<TokenKind>({ type: 'string', enum: tokenKinds });
const TokenScopes = Type.Array(Type.Unsafe<TokenScope>({ type: 'string', enum: tokenScopes }), {
  minItems: 1,
  uniqueItems: true,
  description:
    'For operator tokens: `read` reads, `portal` acts for developers, `review` decides reviews, `install` manages installations and nothing else, `admin` does everything. Every scope but `install` includes `read`.',
});

const daySeconds = 86_400;

/** The lifetime of a token in seconds: the default and the maximum. */
export const tokenLifetimeSeconds = { default: 90 * daySeconds, max: 366 * daySeconds };

/** The rate limit of one token, instead of the configured default; 0 means no limit. */
const PerMinute = Type.Integer({ minimum: 0, maximum: 999_999_999 });

/** The request to create a token. A token of kind `developer` is bound to one developer. */
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
    requestsPerMinute: Type.Optional(PerMinute),
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
    requestsPerMinute: Type.Optional(PerMinute),
    revokedAt: Type.Optional(DateTime),
    replacedBy: Type.Optional({
      ...TokenId,
      description: 'The token that replaces it, if it was rotated. Until `expiresAt`, both are valid.',
    }),
    updatedAt: Type.String({
      ...DateTime,
      description: 'When it was created, rotated or revoked, whichever was last.',
    }),
    etag: EntityTag,
  },
  { $id: 'AccessToken', description: 'An access token without its secret.' },
);
export type AccessToken = Type.Static<typeof AccessToken>;

/** The query of a list of tokens. */
export const AccessTokenQuery = Type.Object(
  {
    developerId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    kind: Type.Optional(Kind),
    ...sortParameter(['id', 'expiresAt'], 'id'),
    ...timeParameters('`expiresAt`, if the list is sorted by it,'),
    ...totalParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type AccessTokenQuery = Type.Static<typeof AccessTokenQuery>;

const TokenStatus = Type.Unsafe<'active' | 'expired' | 'revoked'>({
  type: 'string',
  enum: ['active', 'expired', 'revoked'],
});

/** A token as its list shows it, and every other response. */
export const ListedAccessToken = Type.Object(
  {
    ...AccessToken.properties,
    lastUsedAt: Type.Optional(
      Type.String({
        ...DateTime,
        description:
          'The start of the hour of its last use, or its creation if that is later. Absent if no use is recorded.',
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

/** A new token: the only response that contains its secret. */
export const AccessTokenWithSecret = Type.Object(
  { ...ListedAccessToken.properties, token: Type.String({ description: 'Shown only once, and never stored.' }) },
  { $id: 'AccessTokenWithSecret' },
);
export type AccessTokenWithSecret = Type.Static<typeof AccessTokenWithSecret>;

/** How long a rotated token stays valid, in seconds: the default and the maximum. */
export const overlapSeconds = { default: daySeconds, max: 30 * daySeconds };

/** The request to rotate a token. */
export const TokenRotation = Type.Object(
  {
    overlap: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: overlapSeconds.max,
        description:
          'How long the old token stays valid, in seconds; 0 ends it immediately. Never longer than it would be anyway. Absent: 24 hours.',
      }),
    ),
  },
  { $id: 'TokenRotation', additionalProperties: false },
);

/** The response to a rotation. */
export const RotatedAccessToken = Type.Object(
  {
    ...AccessTokenWithSecret.properties,
    replaces: Type.Object(
      { id: TokenId, expiresAt: DateTime },
      { description: 'The old token, and the time until which it is still valid.' },
    ),
  },
  { $id: 'RotatedAccessToken', description: 'The token that replaces another one: the only response with its secret.' },
);

/** How many tokens of a developer were revoked. */
export const RevokedTokens = Type.Object(
  { id: UserId, tokensRevoked: Type.Integer({ minimum: 0 }) },
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
    ...(token.requests_per_minute !== null && { requestsPerMinute: token.requests_per_minute }),
    ...(token.revoked_at !== null && { revokedAt: dateTime(token.revoked_at) }),
    ...(token.replaced_by !== null && { replacedBy: token.replaced_by }),
    updatedAt: dateTime(token.revoked_at ?? token.replaced_at ?? token.created_at),
    etag: accessTokenTag(token),
  };
}

/** The `ETag` of a token. It does not depend on its use, or on a suspension of its developer. */
export function accessTokenTag({ hash: _, last_used_at: __, suspended: ___, ...token }: AccessTokenRow): string {
  return entityTag(token);
}

/** The scopes of an operator token. */
function scopesOf({ scopes }: Pick<AccessTokenRow, 'scopes'>): TokenScope[] {
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
 * A new token. Secret scanners recognise its shape, 192 random bits make it unguessable, and a checksum
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

/** The holder of a valid token. */
export interface Principal {
  /** The holder's id in events and limits: the id of an access token, or the identity provider's id for the holder. */
  id: string;
  /** What the token grants. A token of the registry has one kind; one of an identity provider may have any number. */
  kinds: readonly TokenKind[];
  /** Only of a holder of kind `developer`. */
  developerId: string | null;
  /** Whether that developer is suspended: then the holder may do nothing as a developer. */
  isSuspended: boolean;
  /** Only of a holder of kind `operator`. */
  scopes: readonly TokenScope[];
  /** Limits of this token; null where the default applies. */
  updatesPerMinute: number | null;
  readsPerMinute: number | null;
  /** To the operator listener. */
  requestsPerMinute: number | null;
}

/** The holder of a token; null when it is malformed, unknown, expired or revoked. */
export async function authenticate(registry: Registry, token: string): Promise<Principal | null> {
  if (!isTokenText(token)) return null;
  const row = await registry.storage.requestLookups.findToken(hashOfToken(token));
  return row && isValid(registry, row) ? principalOfToken(row) : null;
}

/** Whether a token is valid now. */
export function isValid({ now }: Registry, { revoked_at: revokedAt, expires_at: expiresAt }: Ends): boolean {
  return revokedAt === null && expiresAt > now();
}

export function principalOfToken(
  row: Omit<AccessTokenRow, 'name' | 'hash' | 'created_at' | 'replaced_by' | 'replaced_at' | 'last_used_at'>,
): Principal {
  return {
    id: row.id,
    kinds: [row.kind],
    developerId: row.developer_id,
    isSuspended: row.suspended === 1,
    scopes: scopesOf(row),
    updatesPerMinute: row.updates_per_minute,
    readsPerMinute: row.reads_per_minute,
    requestsPerMinute: row.requests_per_minute,
  };
}

type Ends = Pick<AccessTokenRow, 'revoked_at' | 'expires_at'>;

const dayMs = 86_400_000;
/** A token used within this time counts as in use. */
const usedWithinMs = 7 * dayMs;
/** Tokens issued for less are meant to expire. */
const lifetimeMsMin = 14 * dayMs;
const newest = 1_000;

/**
 * Records the hour of last use of these tokens, given as its start by token id. A later recorded hour stays, unless
 * it is in the future: a clock that was ahead has recorded it. Unknown ids are ignored.
 */
export async function recordTokenUses({ storage, now }: Registry, hours: ReadonlyMap<string, number>): Promise<void> {
  if (hours.size === 0) return;
  const byHour = Map.groupBy(hours, ([, hour]) => hour);
  await storage.write(async (transaction) => {
    for (const [hour, uses] of byHour) {
      await updateLastUsedAt(transaction, { ids: uses.map(([id]) => id), hour, now: now() });
    }
  });
}

/**
 * For each kind, the earliest expiry of its tokens in use, in milliseconds since 1970. A token is in use when it is not
 * revoked or replaced, was used within a week, and was issued for at least two weeks. Considers the newest 1,000 tokens of a kind,
 * and omits a kind without such a token. Developers replace their own tokens: among many, one always expires soon.
 */
export async function soonestExpiries({ storage, now }: Registry): Promise<Record<string, number>> {
  const at = now();
  const soonest: Record<string, number> = {};
  for (const kind of ['platform', 'operator'] as const) {
    const row = await findSoonestExpiry(storage.reader, {
      kind,
      now: at,
      usedSince: at - usedWithinMs,
      lifetimeMsMin,
      newest,
    });
    if (row?.expires_at) soonest[kind] = row.expires_at;
  }
  return soonest;
}
