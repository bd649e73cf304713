import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './metrics.ts';
import { traceIdOf, traceparentOf } from './trace-context.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

interface RequestLogOptions {
  logger: Logger;
  metrics: HttpMetrics;
  proxies: TrustedProxies;
}

/** Logs and measures each request once, by its route and never by its URL. */
export class RequestLog {
  readonly #logger: Logger;
  readonly #metrics: HttpMetrics;
  readonly #proxies: TrustedProxies;

  constructor({ logger, metrics, proxies }: RequestLogOptions) {
    this.#logger = logger;
    this.#metrics = metrics;
    this.#proxies = proxies;
  }

  /** Logs requests whose client disconnected before the response, too. */
  watch(app: FastifyInstance): void {
    app.addHook('onSend', ({ raw }, reply, payload, done) => {
      if (reply.raw.closed) this.log(raw.exchange, reply.statusCode);
      done(null, payload);
    });
  }

  /** To be called once a response has been sent, or can no longer be sent. */
  log(exchange: Exchange, status: number = exchange.response.statusCode): void {
    if (exchange.isLogged) return;
    exchange.isLogged = true;
    const { id, route, request, seconds } = exchange;
    const { method = '' } = request;
    this.#metrics.requests.observe({ route: route ?? 'none', method, status }, seconds);
    const traceparent = traceparentOf(request.headers);
    const fields = {
      requestId: id,
      ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }),
      method,
      route,
      status,
      durationMs: Math.round(seconds * 100_000) / 100,
      client: this.#proxies.clientOf(request),
    };
    this.#logger.info(fields, 'request');
  }
}

/** A logger for further lines about a request, which few requests need. */
export function logOf({ log, id }: Pick<FastifyRequest, 'log' | 'id'>) {
  return log.child({ requestId: id });
}
