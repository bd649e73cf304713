import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

const { createProtectedName: create, listProtectedNames: list, deleteProtectedName: remove } = operatorOperations;

export function createProtectedName(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(create, registry, { caller, body });
}

export function deleteProtectedName(registry: Registry, caller: Caller, id: string) {
  return runOperation(remove, registry, { caller, params: { id } });
}

export function listProtectedNames(registry: Registry, query: Record<string, unknown>) {
  return runOperation(list, registry, { caller: commandLine, query });
}
