import { audience } from '@appregistrar/testkit/identity-provider/openid-provider';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import {
  IdentityProvider,
  type IdentityProviderParts,
  type IdentityProviderSettings,
} from '../../src/http/identity-provider/identity-provider.ts';

/** What the registry accepts of an issuer, with the defaults of the configuration, and what it logs of it. */
export function identityProviderOf(
  given: Partial<IdentityProviderSettings> & { issuer: string },
  parts: Omit<IdentityProviderParts, 'logger'> = {},
): { provider: IdentityProvider; log: CapturedLog } {
  const log = new CapturedLog();
  const claims = { userIdClaim: 'sub', scopeClaims: ['scope'], scopePrefix: 'app-registry:', userIdPrefix: 'user' };
  const settings = { audience, tokenType: 'at+jwt', ...claims, ...given } as const;
  return { provider: new IdentityProvider(settings, { logger: log.logger, ...parts }), log };
}
