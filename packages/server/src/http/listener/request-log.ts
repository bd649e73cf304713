import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Series } from './durations.ts';
import type { Exchange } from './exchange.ts';
import type { HttpMetrics } from './metrics.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Beside what any log takes: a line at `info` whose members are JSON already, as every request has one. */
export type RequestLogger = Logger & { writeInfo: (members: string) => void };

interface RequestLogOptions {
  logger: RequestLogger;
  metrics: HttpMetrics;
  proxies: TrustedProxies;
}

/** What requests of one route, method and status have in common, which is made once. */
interface RequestKind {
  method: string;
  status: number;
  durations: Series;
  /** Of its line, from `method` to the name of the duration. */
  members: string;
}

/** Logs and measures each request once, by its route and never by its address. */
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

  /** A client that has gone is told nothing, but what its request did is worth a line. */
  watch(app: FastifyInstance): void {
    app.addHook('onSend', ({ raw }, reply, payload, done) => {
      if (reply.raw.closed) this.tell(raw.exchange, reply.statusCode);
      done(null, payload);
    });
  }

  /** To be called when an answer has left, or cannot leave any more. */
  tell(exchange: Exchange, status: number = exchange.response.statusCode): void {
    if (exchange.isLogged) return;
    exchange.isLogged = true;
    const { id, route, request, seconds } = exchange;
    const { durations, members } = this.#kindOf(route, request.method ?? '', status);
    durations.observe(seconds);
    const durationMs = Math.round(seconds * 100_000) / 100;
    const client = JSON.stringify(this.#proxies.clientOf(request));
    this.#logger.writeInfo(`"requestId":"${id}",${members}${durationMs},"client":${client},"msg":"request"`);
  }

  #kindOf(route: string | null, method: string, status: number): RequestKind {
    let kinds = this.#kinds.get(route);
    if (!kinds) {
      kinds = [];
      this.#kinds.set(route, kinds);
    }
    let kind = kinds.find((one) => one.status === status && one.method === method);
    if (!kind) {
      const durations = this.#metrics.requests.series({ route: route ?? 'none', method, status });
      // No method and no route has a character that JSON escapes.
      const routeText = route === null ? null : `"${route}"`;
      kind = {
        method,
        status,
        durations,
        members: `"method":"${method}","route":${routeText},"status":${status},"durationMs":`,
      };
      kinds.push(kind);
    }
    return kind;
  }
}

/** For lines that name the request, which few requests have beside their own. */
export function logOf({ log, id }: FastifyRequest) {
  return log.child({ requestId: id });
}
