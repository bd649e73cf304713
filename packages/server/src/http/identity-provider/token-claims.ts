import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type TokenKind, tokenScopes } from '../../features/access/access-token.ts';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import { toTypeId } from '../../kernel/type-id.ts';

/** How to read the claims of an access token. */
export interface ClaimMapping {
  /** Identifies the developer, as a TypeID or a bare UUID. */
  userIdClaim: string;
  /** The scopes of all of these count; each claim is a text or a list. */
  scopeClaims: string[];
  /** Precedes `developer`, `platform` and the scopes of an operator. */
  scopePrefix: string;
  userIdPrefix: string;
}

/** Unlikely to identify a person: no email address, no name with a dot or a space. */
const opaque = /^[\w|-]{1,100}$/;

/**
 * The holder of a token with these claims. Without a known scope, the holder may do nothing. Whether their developer is
 * suspended is not in the claims.
 */
export function holderOf(claims: JWTPayload, mapping: ClaimMapping): TokenHolder {
  const granted = grantedScopes(claims, mapping);
  const developerId = granted.has('developer') ? userIdOf(claims, mapping) : null;
  const scopes = tokenScopes.filter((scope) => granted.has(scope));
  const kinds: TokenKind[] = [];
  if (developerId !== null) kinds.push('developer');
  if (granted.has('platform')) kinds.push('platform');
  if (scopes.length > 0) kinds.push('operator');
  return {
    id: holderId(String(claims.sub)),
    kinds,
    developerId,
    isSuspended: false,
    scopes,
    updatesPerMinute: null,
    readsPerMinute: null,
  };
}

function grantedScopes(claims: JWTPayload, { scopeClaims, scopePrefix }: ClaimMapping): Set<string> {
  const scopes = scopeClaims.flatMap((name) => scopesIn(claims[name]));
  return new Set(
    scopes.filter((scope) => scope.startsWith(scopePrefix)).map((scope) => scope.slice(scopePrefix.length)),
  );
}

function scopesIn(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.filter((item) => typeof item === 'string') : [];
}

function userIdOf(claims: JWTPayload, { userIdClaim, userIdPrefix }: ClaimMapping): string | null {
  const value = claims[userIdClaim];
  return typeof value === 'string' ? toTypeId(value, userIdPrefix) : null;
}

/** The same for all tokens of a subject. Events contain it, so what could identify a person is hashed (decision 34). */
function holderId(subject: string): string {
  return opaque.test(subject) ? `oidc:${subject}` : `oidc:sha256:${createHash('sha256').update(subject).digest('hex')}`;
}
