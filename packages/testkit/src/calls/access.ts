import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

const {
  listTokenChanges: listChanges,
  getToken: get,
  createToken: issue,
  listTokens: list,
  revokeToken: revoke,
  rotateToken: rotate,
  revokeDeveloperTokens: revokeAll,
} = operatorOperations;

export function listTokens(registry: Registry, query: unknown) {
  return runOperation(list, registry, { caller: commandLine, query: query as Record<string, unknown> });
}

export function createToken(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(issue, registry, { caller, body });
}

export function getToken(registry: Registry, id: string) {
  return runOperation(get, registry, { caller: commandLine, params: { id } });
}

export function listTokenChanges(registry: Registry, id: string, query: unknown) {
  return runOperation(listChanges, registry, {
    caller: commandLine,
    params: { id },
    query: query as Record<string, unknown>,
  });
}

export function revokeToken(registry: Registry, caller: Caller, id: string) {
  return runOperation(revoke, registry, { caller, params: { id } });
}

export function rotateToken(registry: Registry, caller: Caller, id: string, body: object = {}) {
  return runOperation(rotate, registry, { caller, params: { id }, body });
}

export function revokeDeveloperTokens(registry: Registry, caller: Caller, userId: string) {
  return runOperation(revokeAll, registry, { caller, params: { id: userId } });
}
