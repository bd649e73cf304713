import { sendJson } from '../body/json-body.ts';
import type { HttpMetrics } from '../listener/request-log.ts';
import type { Route } from '../listener/route.ts';
import { HttpProblem } from '../problem/problem.ts';
import { toReadinessProblem } from '../problem/to-problem.ts';

export interface HealthOptions {
  /** Throws unless requests can be served. */
  requireReady: () => Promise<void>;
  /** Settings of the database that can lose an acknowledged write. */
  warnings: () => Promise<string[]>;
  build: { version: string; commit?: string };
  metrics: Pick<HttpMetrics, 'contentType' | 'text'>;
}

/** Throws unless this process can serve requests. */
export async function requireReady({
  isDraining,
  ping,
}: {
  isDraining: () => boolean;
  /** Throws when the database cannot be used. */
  ping: () => Promise<void>;
}): Promise<void> {
  if (isDraining()) throw new HttpProblem('unavailable', 'This process is shutting down.');
  await ping().catch((error: unknown) => {
    throw toReadinessProblem(error);
  });
}

/** The routes for supervisors and monitoring systems. */
export function healthRoutes({ requireReady, warnings, build, metrics }: HealthOptions): Route[] {
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
