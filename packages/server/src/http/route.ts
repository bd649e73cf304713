import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Cors } from './cors.ts';
import { HttpProblem } from './problem.ts';

/** One line of a listener's route table. */
export interface Route {
  method: 'GET' | 'PATCH';
  path: string;
  /** Who may: a check that runs before the body is read, or `anyone`. */
  access: 'anyone' | ((request: FastifyRequest, reply: FastifyReply) => Promise<void>);
  /** Checks the kind of body before it is read. */
  acceptsBody?: (request: FastifyRequest) => void;
  handle: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/**
 * Puts a route table on a listener. A known path answers every other method with 405, but for the
 * preflight requests that `cors` lets through.
 */
export function mount(app: FastifyInstance, routes: Route[], cors?: Cors): void {
  for (const { method, path, access, acceptsBody, handle } of routes) {
    app.route({
      method,
      url: path,
      ...(access !== 'anyone' && { onRequest: access }),
      ...(acceptsBody && {
        preParsing: async (request) => {
          // A client that has gone meanwhile: its body would be waited for, for ever.
          if (request.raw.destroyed) throw new HttpProblem('malformed_request', 'The connection was closed.');
          acceptsBody(request);
        },
      }),
      handler: handle,
    });
  }
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = allowedMethods(routes, path);
    app.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: path,
      onRequest: async (request, reply) => {
        if (cors?.isPreflight(request)) return reply.code(204).headers(cors.preflightFields(allowed)).send();
        throw new HttpProblem('method_not_allowed', `This path takes ${allowed.join(', ')}.`, {
          allow: allowed.join(', '),
        });
      },
      handler: () => {},
    });
  }
}

function allowedMethods(routes: Route[], path: string): string[] {
  return routes
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
