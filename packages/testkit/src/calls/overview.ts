import { operatorOperations } from '../../../server/src/features/operations.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function getOverview(registry: Registry) {
  return runOperation(operatorOperations.getOverview, registry, { caller: commandLine });
}

export function getStatistics(registry: Registry) {
  return runOperation(operatorOperations.getStatistics, registry, { caller: commandLine });
}
