import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { getOverview } from './get-overview.ts';
import { getStatistics } from './get-statistics.ts';
import type { overviewOperations } from './overview-operations.ts';

/** The whole registry at a glance. */
export function overviewHandlers(registry: Registry): Handlers<typeof overviewOperations> {
  return {
    getOverview: () => getOverview(registry),
    getStatistics: () => getStatistics(registry),
  };
}
