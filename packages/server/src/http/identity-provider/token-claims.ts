import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { type TokenKind, tokenScopes } from '../../contract/access-token.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { toTypeId } from '../../registry/type-id.ts';

/** How the claims of an access token are read. */
export interface ClaimMapping {
  /** Names the developer, as a TypeID or a bare UUID. */
  userIdClaim: string;
  /** Their scopes all count; each is a text or a list. */
  scopeClaims: string[];
  /** Stands before `developer`, `platform` and the scopes of an operator. */
  scopePrefix: string;
  userIdPrefix: string;
}

/** Nothing of a person that is likely to be one's: no address, no name with a dot or a space. */
const opaque = /^[\w|-]{1,100}$/;

/** Who holds a token with these claims. Without a scope that is known here, a holder who may do nothing. */
export function holderOf(claims: JWTPayload, mapping: ClaimMapping): TokenHolder {
  const granted = grantedScopes(claims, mapping);
  const developerId = granted.has('developer') ? userIdOf(claims, mapping) : null;
  const scopes = tokenScopes.filter((scope) => granted.has(scope));
  const kinds: TokenKind[] = [];
  if (developerId !== null) kinds.push('developer');
  if (granted.has('platform')) kinds.push('platform');
  if (scopes.length > 0) kinds.push('operator');
  return { id: holderId(String(claims.sub)), kinds, developerId, scopes, updatesPerMinute: null, readsPerMinute: null };
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

/** The same for all tokens of a subject. It stands in events, so what may tell a person is hashed (decision 34). */
function holderId(subject: string): string {
  return opaque.test(subject) ? `oidc:${subject}` : `oidc:sha256:${createHash('sha256').update(subject).digest('hex')}`;
}
