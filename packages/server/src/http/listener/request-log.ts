import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Series } from './durations.ts';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './metrics.ts';
import { traceIdOf, traceparentOf } from './trace-context.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** A logger that also writes a line at `info` from fields that are JSON already, which each request needs. */
export type RequestLogger = Logger & { writeInfo: (fields: string) => void };

interface RequestLogOptions {
  logger: RequestLogger;
  metrics: HttpMetrics;
  proxies: TrustedProxies;
}

/** What requests of one route, method and status have in common, made once. */
interface RequestKind {
  method: string;
  status: number;
  durations: Series;
  /** The fields of the line from `method` to the name of the duration. */
  fields: string;
}

/** Logs and measures each request once, by its route and never by its URL. */
export class RequestLog {
  readonly #logger: RequestLogger;
  readonly #metrics: HttpMetrics;
  readonly #proxies: TrustedProxies;
  readonly #kinds = new Map<string | null, RequestKind[]>();

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
    const { durations, fields } = this.#kindOf(route, request.method ?? '', status);
    durations.observe(seconds);
    const durationMs = Math.round(seconds * 100_000) / 100;
    const client = JSON.stringify(this.#proxies.clientOf(request));
    const traceparent = traceparentOf(request.headers);
    const trace = traceparent === undefined ? '' : `"traceId":"${traceIdOf(traceparent)}",`;
    this.#logger.writeInfo(`"requestId":"${id}",${trace}${fields}${durationMs},"client":${client},"msg":"request"`);
  }

  #kindOf(route: string | null, method: string, status: number): RequestKind {
    let kinds = this.#kinds.get(route);
    if (!kinds) {
      kinds = [];
      this.#kinds.set(route, kinds);
    }
    let kind = kinds.find((known) => known.status === status && known.method === method);
    if (!kind) {
      const durations = this.#metrics.requests.series({ route: route ?? 'none', method, status });
      // No method or route has a character that JSON escapes.
      const routeText = route === null ? null : `"${route}"`;
      kind = {
        method,
        status,
        durations,
        fields: `"method":"${method}","route":${routeText},"status":${status},"durationMs":`,
      };
      kinds.push(kind);
    }
    return kind;
  }
}

/** A logger for further lines about a request, which few requests need. */
export function logOf({ log, id }: Pick<FastifyRequest, 'log' | 'id'>) {
  return log.child({ requestId: id });
}
