import { authenticate } from '../registry/authenticate.ts';
import type { Registry } from '../registry/registry.ts';
import type { Authenticate } from './bearer-auth.ts';
import type { IdentityProvider } from './identity-provider.ts';

const jwt = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Takes the registry's own tokens, and beside them those of an identity provider if there is one. */
export function authenticateWith(registry: Registry, identityProvider: IdentityProvider | null): Authenticate {
  return async (token) =>
    identityProvider && jwt.test(token) ? identityProvider.authenticate(token) : authenticate(registry, token);
}
