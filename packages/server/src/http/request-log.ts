import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HttpMetrics } from './metrics.ts';
import { clientAddress } from './trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    isLogged: boolean;
  }
}

/** Logs and measures each request once, by its route and never by its address. */
export class RequestLog {
  readonly #metrics: HttpMetrics;

  constructor(metrics: HttpMetrics) {
    this.#metrics = metrics;
  }

  /** Every request from now on: when its answer has left, or cannot leave any more. */
  watch(app: FastifyInstance): void {
    app.decorateRequest('isLogged', false);
    app.addHook('onSend', (request, reply, payload, done) => {
      // A client that has gone is told nothing, but what its request did is worth a line.
      if (reply.raw.closed) this.tell(request, reply);
      else reply.raw.once('close', () => this.tell(request, reply));
      done(null, payload);
    });
  }

  tell(request: FastifyRequest, reply: FastifyReply, status: number = reply.statusCode): void {
    if (request.isLogged) return;
    request.isLogged = true;
    const route = request.routeOptions.url ?? null;
    const { method } = request;
    this.measure({ route, method, status, seconds: reply.elapsedTime / 1000 });
    const durationMs = Math.round(reply.elapsedTime * 100) / 100;
    request.log.info({ method, route, status, durationMs, client: clientAddress(request) }, 'request');
  }

  /** What was answered before the framework knew of it has no route and took no time. */
  measure({ route = null, seconds = 0, ...labels }: Measured): void {
    this.#metrics.observe({ route: route ?? 'none', seconds, ...labels });
  }
}

interface Measured {
  route?: string | null;
  method: string;
  status: number;
  seconds?: number;
}
