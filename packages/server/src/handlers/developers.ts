import type { developerOperations } from '../contract/operations/developers.ts';
import { runOrTry } from '../kernel/dry-run.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { createDeveloper } from '../registry/developers/create-developer.ts';
import { eraseDeveloper } from '../registry/developers/erase-developer.ts';
import { getDeveloper } from '../registry/developers/get-developer.ts';
import { getDeveloperRecord } from '../registry/developers/get-developer-record.ts';
import { listDevelopers } from '../registry/developers/list-developers.ts';
import { suspendDeveloper } from '../registry/developers/suspend-developer.ts';
import { unsuspendDeveloper } from '../registry/developers/unsuspend-developer.ts';
import { updateDeveloper } from '../registry/developers/update-developer.ts';
import { revokeTokensOfDeveloper } from '../registry/tokens/revoke-tokens-of-developer.ts';

/** The people whom apps belong to. */
export function developerHandlers(registry: Registry): Handlers<typeof developerOperations> {
  return {
    listDevelopers: ({ query }) => listDevelopers(registry, query),
    createDeveloper: ({ caller, body }) => createDeveloper(registry, caller, body),
    getDeveloper: ({ params: { userId } }) => getDeveloper(registry, userId),
    getDeveloperRecord: ({ params: { userId } }) => getDeveloperRecord(registry, userId),
    updateDeveloper: ({ caller, params: { userId }, body }) =>
      updateDeveloper(registry, caller, { userId, update: body }),
    eraseDeveloper: ({ caller, params: { userId }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { developerId: userId } }, (tried) => eraseDeveloper(tried, caller, userId)),
    suspendDeveloper: ({ caller, params: { userId }, body, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { developerId: userId } }, (tried) =>
        suspendDeveloper(tried, caller, { userId, suspension: body }),
      ),
    unsuspendDeveloper: ({ caller, params: { userId }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { developerId: userId } }, (tried) =>
        unsuspendDeveloper(tried, caller, userId),
      ),
    revokeTokensOfDeveloper: ({ caller, params: { userId }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { developerId: userId } }, (tried) =>
        revokeTokensOfDeveloper(tried, caller, userId),
      ),
  };
}
