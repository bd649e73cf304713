import type { ListedAccessToken } from '../../contract/access-token.ts';

/** An operator token of an early release has no scope, so that it may do nothing: a person is told. */
export function tokenForPerson(token: ListedAccessToken): object {
  return token.kind === 'operator' && !token.scopes ? { ...token, scopes: 'no scope' } : token;
}
