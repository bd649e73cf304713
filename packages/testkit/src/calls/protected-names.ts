import {
  createProtectedName as create,
  listProtectedNames as list,
  type ProtectedName,
  deleteProtectedName as remove,
} from '../../../server/src/features/protected-names/protected-names.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function createProtectedName(registry: Registry, caller: Caller, body: unknown): Promise<ProtectedName> {
  return runOperation(create, registry, { caller, body });
}

export function deleteProtectedName(registry: Registry, caller: Caller, id: string): Promise<ProtectedName> {
  return runOperation(remove, registry, { caller, params: { id } });
}

export function listProtectedNames(registry: Registry, query: Record<string, unknown>) {
  return runOperation(list, registry, { caller: commandLine, query });
}
