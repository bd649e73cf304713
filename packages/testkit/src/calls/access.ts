import { revokeTokensOfDeveloper as revokeAll } from '../../../server/src/features/access/revoke-tokens-of-developer.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import type { Caller, Registry } from '../../../server/src/kernel/registry.ts';

export function revokeTokensOfDeveloper(registry: Registry, caller: Caller, userId: string) {
  return runOperation(revokeAll, registry, { caller, params: { userId } });
}
