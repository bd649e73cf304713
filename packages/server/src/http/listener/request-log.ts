import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RequestContext } from './node-route.ts';
import type { TrustedProxies } from './own-host.ts';

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
      if (reply.raw.closed) this.log(raw.context, reply.statusCode);
      done(null, payload);
    });
  }

  /** To be called once a response has been sent, or can no longer be sent. */
  log(context: RequestContext, status: number = context.response.statusCode): void {
    if (context.isLogged) return;
    context.isLogged = true;
    const { id, route, request, seconds } = context;
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

/** W3C Trace Context, 3.2: a later version may have more after the same fields. */
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The flags that are defined: sampled, and random trace id. Others must not be passed on. */
const knownFlags = 0b11;

/** The `traceparent` of a request in version 00; undefined if there is none, or an invalid one, which counts as none. */
export function traceparentOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  if (traceparent === undefined) return undefined;
  const [, version, traceId, parentId, flags = '', more] = format.exec(String(traceparent)) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  const known = Number.parseInt(flags, 16) & knownFlags;
  return `00-${traceId}-${parentId}-0${known}`;
}

/** The trace that a `traceparent` names. */
function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** The metrics of a process, in the text format of Prometheus. */
export class HttpMetrics {
  /** Other modules register their metrics here. */
  readonly registry = new Registry();
  readonly connectionsDropped = new Counter({
    name: 'http_connections_dropped_total',
    help: 'Connections that were closed at once because there were too many.',
    labelNames: ['listener'],
    registers: [this.registry],
  });
  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly contentType = this.registry.contentType;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
