import type { Registry } from '../../registry/registry.ts';
import { authenticate } from '../../registry/tokens/authenticate.ts';
import type { Authenticate } from '../auth/bearer-auth.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Accepts the registry's own tokens, and those of the identity provider if there is one. */
export function authenticateWith(registry: Registry, identityProvider: IdentityProvider | null): Authenticate {
  const authenticateOwn: Authenticate = (token) => authenticate(registry, token);
  if (!identityProvider) return authenticateOwn;
  return (token) => (isJwt(token) ? identityProvider.authenticate(token) : authenticateOwn(token));
}

/** Whether a token has the form of a JWT; the registry's own have no dots. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
}
