import { runOrTry } from '../../kernel/dry-run.ts';
import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { revokeTokensOfDeveloper } from '../access/revoke-tokens-of-developer.ts';
import { createDeveloper } from './create-developer.ts';
import type { developerOperations } from './developer-operations.ts';
import { eraseDeveloper } from './erase-developer.ts';
import { getDeveloper } from './get-developer.ts';
import { getDeveloperRecord } from './get-developer-record.ts';
import { listDevelopers } from './list-developers.ts';
import { suspendDeveloper } from './suspend-developer.ts';
import { unsuspendDeveloper } from './unsuspend-developer.ts';
import { updateDeveloper } from './update-developer.ts';

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
