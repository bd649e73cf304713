import type { FastifyInstance } from 'fastify';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import type { HttpProblem } from '../problem/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token the request carries, once that is known. */
    holder: TokenHolder | null;
    /** Told in place of any other fault, unless the request turns out not to count. */
    overLimit: HttpProblem | null;
    /** Of the app that is asked for, where the route asks for it at once; rejects when there is none. */
    appRevision: Promise<number> | null;
  }
}

/** Gives every request what its steps tell each other. */
export function addRequestState(app: FastifyInstance): void {
  app.decorateRequest('holder', null);
  app.decorateRequest('overLimit', null);
  app.decorateRequest('appRevision', null);
}
