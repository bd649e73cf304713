import { Overview } from '../../contract/overview.ts';
import { showOverview } from '../../registry/overview/show-overview.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Operation } from './operation.ts';

/** How the registry stands. */
export function overviewOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: '/operator/v1/overview',
      id: 'showOverview',
      summary: 'Show how the registry stands, and how it came there',
      description:
        'How many apps are in each status and how many installations there are, counted a minute ago at most; what awaits review now; and what was counted on each of the latest 90 days.',
      scope: 'read',
      answer: Overview,
      handle: () => showOverview(registry),
    },
  ];
}
