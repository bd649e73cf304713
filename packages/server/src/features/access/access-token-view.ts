import { dateTime } from '../../kernel/date-time.ts';
import type { AccessTokenRow } from '../../storage/tables.ts';
import { type AccessToken, type TokenScope, tokenScopes } from './access-token.ts';

/** A token without its secret. */
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
