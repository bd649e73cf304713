import type { overviewOperations } from '../contract/operations/overview.ts';
import { showOverview } from '../registry/overview/show-overview.ts';
import { showStatistics } from '../registry/overview/show-statistics.ts';
import type { Registry } from '../registry/registry.ts';
import type { Handlers } from './handler.ts';

/** The whole registry at a glance. */
export function overviewHandlers(registry: Registry): Handlers<typeof overviewOperations> {
  return {
    showOverview: () => showOverview(registry),
    showStatistics: () => showStatistics(registry),
  };
}
