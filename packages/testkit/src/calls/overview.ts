import { type Overview, overviewOperations } from '../../../server/src/features/overview/overview.ts';
import type { Statistics } from '../../../server/src/features/overview/review-statistics.ts';
import { runOperation } from '../../../server/src/kernel/operation.ts';
import { commandLine, type Registry } from '../../../server/src/kernel/registry.ts';

export function getOverview(registry: Registry): Promise<Overview> {
  return runOperation(overviewOperations.getOverview, registry, { caller: commandLine });
}

export function getStatistics(registry: Registry): Promise<Statistics> {
  return runOperation(overviewOperations.getStatistics, registry, { caller: commandLine });
}
