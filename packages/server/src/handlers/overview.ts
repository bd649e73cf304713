import type { overviewOperations } from '../contract/operations/overview.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { getOverview } from '../registry/overview/get-overview.ts';
import { getStatistics } from '../registry/overview/get-statistics.ts';

/** The whole registry at a glance. */
export function overviewHandlers(registry: Registry): Handlers<typeof overviewOperations> {
  return {
    getOverview: () => getOverview(registry),
    getStatistics: () => getStatistics(registry),
  };
}
