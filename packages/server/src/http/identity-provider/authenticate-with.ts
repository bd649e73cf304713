import { authenticate, type TokenHolder } from '../../features/access/authenticate.ts';
import { isSuspended } from '../../features/suspension/suspended-developer.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { Authenticate } from '../auth/bearer-auth.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Accepts the registry's own tokens, and those of the identity provider if there is one. */
export function authenticateWith(registry: Registry, identityProvider: IdentityProvider | null): Authenticate {
  const authenticateOwn: Authenticate = (token) => authenticate(registry, token);
  if (!identityProvider) return authenticateOwn;
  return (token) => (isJwt(token) ? authenticateIssued(registry, identityProvider, token) : authenticateOwn(token));
}

/** Each time reads whether the developer is suspended, for there is no row of the token that could say so. */
async function authenticateIssued(
  registry: Registry,
  identityProvider: IdentityProvider,
  token: string,
): Promise<TokenHolder | null> {
  const holder = await identityProvider.authenticate(token);
  if (!holder || holder.developerId === null) return holder;
  return { ...holder, isSuspended: await isSuspended(registry, holder.developerId) };
}

/** Whether a token has the form of a JWT; the registry's own have no dots. */
export function isJwt(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
}
