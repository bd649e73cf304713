import type { EventSources } from '../../features/events/feed/event-streams.ts';
import { operatorOperations } from '../../features/operations.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Registry } from '../../kernel/registry.ts';
import { sendJson } from '../body/json-body.ts';
import { LongPollLimit, UploadsAtOnce } from '../limits/concurrent-requests.ts';
import { logoRoute } from '../listener/logo-route.ts';
import type { HttpMetrics } from '../listener/request-context.ts';
import type { Route } from '../listener/route.ts';
import { documentRoute } from '../openapi/reference-page.ts';
import type { ProblemDocs } from '../problem/problem.ts';
import { HttpProblem } from '../problem/problem.ts';
import { toReadinessProblem } from '../problem/to-problem.ts';
import { type ConsoleOptions, consoleRoutes } from './console.ts';
import { providerSessionRoutes, type SessionRouteOptions, sessionRoutes } from './console-session.ts';
import { operationRoute } from './operation-route.ts';
import { operatorDocsRoutes } from './operator-docs.ts';
import { operatorDocument, resources } from './operator-document.ts';

interface OperatorRouteOptions extends HealthOptions, SessionRouteOptions, ConsoleOptions, EventSources, ProblemDocs {
  /** In one process; 0 means no limit. */
  uploadsAtOnceMax: number;
}

/** The path prefix of the operator API, and of nothing else. */
export const operatorApiPath = '/operator/v1/';

/** The routes of the operator listener: the operator API, sessions, the console and monitoring. */
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
    ...operatorDocsRoutes(options, () => operatorDocument(options, { shares: false }), resources),
  ];
}

/** The operator API: every operation that is declared. */
export function operatorApiRoutes(
  registry: Registry,
  { uploadsAtOnceMax, ...sources }: EventSources & Pick<OperatorRouteOptions, 'uploadsAtOnceMax'>,
): Route[] {
  const shared = {
    waits: { ...sources, longPolls: new LongPollLimit() },
    uploads: new UploadsAtOnce(uploadsAtOnceMax),
  };
  return Object.values<AnyOperation>(operatorOperations).map((operation) =>
    operationRoute(registry, operation, shared),
  );
}

interface HealthOptions {
  /** Throws unless requests can be served. */
  requireReady: () => Promise<void>;
  /** Settings of the database that can lose an acknowledged write. */
  warnings: () => Promise<string[]>;
  build: { version: string; commit?: string };
  metrics: Pick<HttpMetrics, 'contentType' | 'text'>;
}

/** Throws unless this process can serve requests. */
export async function requireReady({
  draining,
  ping,
}: {
  draining: AbortSignal;
  /** Throws when the database cannot be used. */
  ping: () => Promise<void>;
}): Promise<void> {
  if (draining.aborted) throw new HttpProblem('unavailable', 'This process is shutting down.');
  await ping().catch((error: unknown) => {
    throw toReadinessProblem(error);
  });
}

/** The routes for supervisors and monitoring systems. */
function healthRoutes({ requireReady, warnings, build, metrics }: HealthOptions): Route[] {
  return [
    {
      method: 'GET',
      path: '/livez',
      access: 'anyone',
      handle: async (_request, reply) => sendJson(reply, { status: 'live', ...build }),
    },
    {
      method: 'GET',
      path: '/readyz',
      access: 'anyone',
      async handle(_request, reply) {
        await requireReady();
        const found = await warnings();
        return sendJson(reply, { status: 'ready', ...(found.length > 0 && { warnings: found }) });
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      access: 'anyone',
      handle: async (_request, reply) => reply.header('content-type', metrics.contentType).send(await metrics.text()),
    },
  ];
}
