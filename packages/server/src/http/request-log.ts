import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
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

/** Logs and measures each request once, by its route and never by its address. */
export class RequestLog {
  readonly #logger: RequestLogger;
  readonly #metrics: HttpMetrics;
  readonly #proxies: TrustedProxies;

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
    const { method = '' } = request;
    this.#metrics.requests.observe({ route: route ?? 'none', method, status, seconds });
    const durationMs = Math.round(seconds * 100_000) / 100;
    const client = JSON.stringify(this.#proxies.clientOf(request));
    // No method and no route has a character that JSON escapes.
    const names = `"requestId":"${id}","method":"${method}","route":${route === null ? null : `"${route}"`}`;
    this.#logger.writeInfo(`${names},"status":${status},"durationMs":${durationMs},"client":${client},"msg":"request"`);
  }
}

/** For lines that name the request, which few requests have beside their own. */
export function logOf({ log, id }: FastifyRequest) {
  return log.child({ requestId: id });
}
