import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { Overview, Statistics } from './overview.ts';

/** The registry at a glance. */
export const overviewOperations = {
  getOverview: {
    method: 'GET',
    path: '/operator/v1/overview',
    summary: 'Show the state of the registry and its daily history',
    description:
      'Returns the number of apps in each status and of installations, at most a minute old; what awaits review now; and the counts of each of the last 90 days.',
    scope: 'read',
    response: Overview,
  },
  getStatistics: {
    method: 'GET',
    path: '/operator/v1/overview/statistics',
    summary: 'Show statistics of reviews, installations and webhooks',
    description:
      'Returns the review queue with its median waiting time and, for each of the last 12 weeks: decisions by outcome, their median waiting time, and installations created and deleted. At most a minute old, as `madeAt` says.',
    scope: 'read',
    response: Statistics,
  },
} as const satisfies Record<string, OperatorOperation>;
