import type { Registry } from '../../registry/registry.ts';
import { authenticate } from '../../registry/tokens/authenticate.ts';
import type { Authenticate } from '../auth/bearer-auth.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Takes the registry's own tokens, and beside them those of an identity provider if there is one. */
export function authenticateWith(registry: Registry, identityProvider: IdentityProvider | null): Authenticate {
  const authenticateOwn: Authenticate = (token) => authenticate(registry, token);
  if (!identityProvider) return authenticateOwn;
  return (token) => (isJwt(token) ? identityProvider.authenticate(token) : authenticateOwn(token));
}

/** Whether a token is none of the registry's own, which have no dots. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
}
