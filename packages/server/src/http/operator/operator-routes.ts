import type { EventSources } from '../../features/events/feed/event-streams.ts';
import { operatorOperations } from '../../features/operations.ts';
import type { Registry } from '../../kernel/registry.ts';
import { LongPollLimit } from '../limits/concurrent-requests.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute } from '../openapi/reference-page.ts';
import { type ConsoleOptions, consoleRoutes } from './console.ts';
import { providerSessionRoutes, type SessionRouteOptions, sessionRoutes } from './console-session.ts';
import { type HealthOptions, healthRoutes } from './health.ts';
import { operationRoutes } from './operation-route.ts';
import { operatorDocsRoute } from './operator-docs.ts';
import { operatorDocument } from './operator-document.ts';

export interface OperatorRouteOptions extends HealthOptions, SessionRouteOptions, ConsoleOptions, EventSources {
  /** The address of this listener, without a slash at the end. */
  operatorBaseUrl: string;
  /** In one process; 0 means no limit. */
  uploadsAtOnceMax: number;
}

/** The path prefix of the operator API, and of nothing else. */
export const operatorApiPath = '/operator/v1/';

/** The routes of the operator listener: the operator API, sessions, the console and monitoring (decision 2). */
export function operatorRoutes(registry: Registry, options: OperatorRouteOptions): Route[] {
  return [
    ...operatorApiRoutes(registry, options),
    // Supervisors and monitoring systems send requests to an IP address.
    ...healthRoutes(options).map((route) => ({ ...route, anyHost: true })),
    ...sessionRoutes(registry, options),
    ...providerSessionRoutes(registry, options),
    ...consoleRoutes(options),
    logoRoute(registry),
    documentRoute(() => operatorDocument(options)),
    operatorDocsRoute(options, () => operatorDocument(options, { shares: false })),
  ];
}

/** The operator API: every operation that is declared. */
export function operatorApiRoutes(
  registry: Registry,
  { uploadsAtOnceMax, ...sources }: EventSources & Pick<OperatorRouteOptions, 'uploadsAtOnceMax'>,
): Route[] {
  const waits = { ...sources, longPolls: new LongPollLimit() };
  return operationRoutes(registry, Object.values(operatorOperations), { waits, uploadsAtOnceMax });
}
