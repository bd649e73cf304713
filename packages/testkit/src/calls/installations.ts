import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { type Caller, commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

const operations = operatorOperations;

export function createInstallation(registry: Registry, caller: Caller, body: unknown) {
  return runOperation(operations.createInstallation, registry, { caller, body });
}

export function getInstallation(registry: Registry, id: string) {
  return runOperation(operations.getInstallation, registry, { caller: commandLine, params: { id } });
}

export function listInstallations(registry: Registry, query: unknown) {
  return runOperation(operations.listInstallations, registry, { caller: commandLine, query: Object(query) });
}

export function setInstallationEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
) {
  const operation = enabled ? operations.enableInstallation : operations.disableInstallation;
  return runOperation(operation, registry, { caller, params: { id } });
}

export function deleteInstallation(registry: Registry, caller: Caller, id: string) {
  return runOperation(operations.deleteInstallation, registry, { caller, params: { id } });
}

export function deleteWorkspaceInstallations(registry: Registry, caller: Caller, workspaceId: string) {
  return runOperation(operations.deleteWorkspaceInstallations, registry, { caller, params: { workspaceId } });
}
