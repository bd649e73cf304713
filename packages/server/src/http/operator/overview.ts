import { allows } from '../../contract/access-token.ts';
import type { overviewOperations } from '../../contract/operations/overview.ts';
import type { searchOperations } from '../../contract/operations/search.ts';
import { showOverview } from '../../registry/overview/show-overview.ts';
import { showStatistics } from '../../registry/overview/show-statistics.ts';
import type { Registry } from '../../registry/registry.ts';
import { search } from '../../registry/search/search.ts';
import type { Handlers } from './operation-route.ts';

/** The whole registry at a glance, and the search over it. */
export function overviewHandlers(registry: Registry): Handlers<typeof overviewOperations & typeof searchOperations> {
  return {
    showOverview: () => showOverview(registry),
    showStatistics: () => showStatistics(registry),
    search: ({ query, scopes }) => search(registry, { query, isAdmin: allows(scopes, 'admin') }),
  };
}
