import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function listLogos(registry: Registry, query: unknown) {
  return runOperation(operatorOperations.listLogos, registry, { caller: commandLine, query: Object(query) });
}

export function createLogo(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(operatorOperations.createLogo, registry, { caller, body });
}

export function blockLogo(registry: Registry, caller: Caller, { id, block }: { id: string; block: unknown }) {
  return runOperation(operatorOperations.blockLogo, registry, { caller, params: { id }, body: block });
}

export function unblockLogo(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.unblockLogo, registry, { caller, params: { id } });
}

export function deleteLogo(registry: Registry, caller: Caller, id: string) {
  return runOperation(operatorOperations.deleteLogo, registry, { caller, params: { id } });
}
