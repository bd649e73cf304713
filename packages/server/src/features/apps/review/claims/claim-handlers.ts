import type { Handlers } from '../../../../kernel/handler.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import { claimApp } from './claim-app.ts';
import type { reviewClaimOperations } from './claim-operations.ts';
import { releaseApp } from './release-app.ts';

/** Who is reviewing which app. */
export function reviewClaimHandlers(registry: Registry): Handlers<typeof reviewClaimOperations> {
  return {
    claimApp: ({ caller, params: { id: appId }, body: claim }) => claimApp(registry, caller, { appId, claim }),
    releaseApp: ({ caller, params: { id } }) => releaseApp(registry, caller, id),
  };
}
