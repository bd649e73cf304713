import type { ListedAccessToken } from '../../contract/access-token.ts';

/** An operator token of an early release has no scopes and no permissions, which the output states explicitly. */
export function readableToken(token: ListedAccessToken): object {
  return token.kind === 'operator' && !token.scopes ? { ...token, scopes: 'no scope' } : token;
}
