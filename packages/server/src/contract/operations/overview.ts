import { Overview, Statistics } from '../overview.ts';
import type { OperatorOperation } from './operation.ts';

/** The registry at a glance. */
export const overviewOperations = {
  showOverview: {
    method: 'GET',
    path: '/operator/v1/overview',
    summary: 'Show the state of the registry, and its history',
    description:
      'How many apps are in each status and how many installations there are, counted a minute ago at most; what awaits review now; and what was counted on each of the latest 90 days.',
    scope: 'read',
    response: Overview,
  },
  showStatistics: {
    method: 'GET',
    path: '/operator/v1/overview/statistics',
    summary: 'Show how reviews, installations and webhooks are doing',
    description:
      'The review queue with its median, and for each of the latest 12 weeks: decisions by outcome, how long what they were about had waited, and installations made and deleted. A minute old at most; installations are counted each minute.',
    scope: 'read',
    response: Statistics,
  },
} as const satisfies Record<string, OperatorOperation>;
