import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Principal } from '../../features/access/access-token.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { PublicOperation } from '../../kernel/operation.ts';
import type { PrincipalOf, Restricted } from '../auth/bearer-auth.ts';
import type { Quota } from '../limits/rate-limit.ts';

/**
 * The route of a public operation, served on `node:http` itself: the framework would take longer than the work of the
 * request. For clients it is like any other route of a public listener.
 */
export interface NodeRoute<Granted extends Restricted = Restricted> extends Pick<PublicOperation, 'method' | 'path'> {
  access: Granted;
  /** Counts a request against a limit of its principal, once that is known (before 403). */
  count(principal: Principal): Quota;
  /**
   * Starts while the token is looked up, so that what it reads first is in the same batch. Awaits the principal before
   * anything else: the problem of the token or its quota precedes any other.
   */
  handle(context: RequestContext, id: string, authorized: Promise<PrincipalOf<Granted>>): Promise<PreparedResponse>;
}

/** Serves an operation at its path to tokens of its kind. */
export function nodeRoute<Kind extends PublicOperation['kind']>(
  { method, path, kind }: PublicOperation & { kind: Kind },
  served: Pick<NodeRoute<{ kind: Kind }>, 'count' | 'handle'>,
): NodeRoute {
  return { method, path, access: { kind }, ...served };
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set on every request of a listener. */
    context: RequestContext;
  }
}

declare module 'node:net' {
  interface Socket {
    /** The latest on the connection with a well-formed header. */
    context?: RequestContext;
  }
}

/** A response without the fields that every response gets. */
export interface PreparedResponse {
  status: number;
  /** For the status line; undefined where Node has the current name of the status. */
  phrase?: string;
  fields: Record<string, string>;
  /** A text is sent in one piece with the header, bytes and a stream after it. */
  body: string | Buffer | Readable | null;
}

/** A request and its response, from the moment its header arrived. */
export class RequestContext {
  /** Generated here, never taken from the client. */
  readonly id = newUuid().toString();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As in the route table; null while unknown, and without a route. */
  route: string | null = null;
  /** Whose token the request carries; null until it is known, and on a route for anyone. */
  principal: Principal | null = null;
  /** What the request has taken; its problem is reported instead of any other. Null while nothing was counted. */
  quota: Quota | null = null;
  /** Whether the connection closes after the response, since more of a refused body may follow. */
  closesConnection = false;
  /** The previous one on the connection, while this one waits for its response. */
  behind: RequestContext | undefined;
  /** Whether it counts among the requests that are served at the same time. */
  holdsPlace = false;
  isLogged = false;
  readonly #startedAt = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    request.context = this;
    request.socket.context = this;
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }
}

interface RequestLogOptions {
  logger: Logger;
  metrics: HttpMetrics;
  /** The address of the client of a request. */
  clientOf: (request: IncomingMessage) => string | null;
}

/** Logs and measures each request once, by its route and never by its URL. */
export class RequestLog {
  readonly #logger: Logger;
  readonly #metrics: HttpMetrics;
  readonly #clientOf: RequestLogOptions['clientOf'];

  constructor({ logger, metrics, clientOf }: RequestLogOptions) {
    this.#logger = logger;
    this.#metrics = metrics;
    this.#clientOf = clientOf;
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
      ...(traceparent !== undefined && { traceId: traceparent.slice(3, 35) }),
      method,
      route,
      status,
      durationMs: Math.round(seconds * 100_000) / 100,
      client: this.#clientOf(request),
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
