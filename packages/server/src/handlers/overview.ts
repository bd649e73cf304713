import type { overviewOperations } from '../contract/operations/overview.ts';
import { getOverview } from '../registry/overview/get-overview.ts';
import { getStatistics } from '../registry/overview/get-statistics.ts';
import type { Registry } from '../registry/registry.ts';
import type { Handlers } from './handler.ts';

/** The whole registry at a glance. */
export function overviewHandlers(registry: Registry): Handlers<typeof overviewOperations> {
  return {
    getOverview: () => getOverview(registry),
    getStatistics: () => getStatistics(registry),
  };
}
