import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

const {
  createDeveloper: create,
  getDeveloper: get,
  getDeveloperRecord: getRecord,
  listDevelopers: list,
  updateDeveloper: update,
} = operatorOperations;

export function listDevelopers(registry: Registry, query: unknown) {
  return runOperation(list, registry, { caller: commandLine, query: query as Record<string, unknown> });
}

export function createDeveloper(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(create, registry, { caller, body });
}

export function getDeveloper(registry: Registry, userId: string) {
  return runOperation(get, registry, { caller: commandLine, params: { id: userId } });
}

export function getDeveloperRecord(registry: Registry, userId: string) {
  return runOperation(getRecord, registry, { caller: commandLine, params: { id: userId } });
}

export function updateDeveloper(
  registry: Registry,
  caller: Caller,
  { userId, update: body }: { userId: string; update: unknown },
) {
  return runOperation(update, registry, { caller, params: { id: userId }, body });
}
