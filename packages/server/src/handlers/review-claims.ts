import type { reviewClaimOperations } from '../contract/operations/review-claims.ts';
import type { Registry } from '../registry/registry.ts';
import { claimApp } from '../registry/review/claims/claim-app.ts';
import { releaseApp } from '../registry/review/claims/release-app.ts';
import type { Handlers } from './handler.ts';

/** Who is reviewing which app. */
export function reviewClaimHandlers(registry: Registry): Handlers<typeof reviewClaimOperations> {
  return {
    claimApp: ({ caller, params: { id: appId }, body: claim }) => claimApp(registry, caller, { appId, claim }),
    releaseApp: ({ caller, params: { id } }) => releaseApp(registry, caller, id),
  };
}
