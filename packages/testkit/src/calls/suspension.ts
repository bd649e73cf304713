import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import type { Caller, Registry } from '../../../server/src/kernel/registry.ts';

const { eraseDeveloper: erase, suspendDeveloper: suspend, unsuspendDeveloper: unsuspend } = operatorOperations;

export function suspendDeveloper(
  registry: Registry,
  caller: Caller,
  { userId, suspension: body }: { userId: string; suspension: unknown },
) {
  return runOperation(suspend, registry, { caller, params: { id: userId }, body });
}

export function unsuspendDeveloper(registry: Registry, caller: Caller, userId: string) {
  return runOperation(unsuspend, registry, { caller, params: { id: userId } });
}

export function eraseDeveloper(registry: Registry, caller: Caller, userId: string) {
  return runOperation(erase, registry, { caller, params: { id: userId } });
}
