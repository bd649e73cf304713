import { METHODS, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { acceptJson } from '../body/accept-json.ts';
import { Overload } from '../limits/overload.ts';
import { disconnectStalledReaders } from '../limits/stalled-readers.ts';
import { errorHandler } from '../problem/error-handler.ts';
import { pathNotFound } from '../problem/problem.ts';
import { SocketProblems } from '../problem/socket-problem.ts';
import type { Cors } from './cors.ts';
import { Exchange } from './exchange.ts';
import { requireHost } from './host-field.ts';
import { closeLingering } from './lingering-close.ts';
import { type ListenerLimits, serverLimits } from './listener-limits.ts';
import type { HttpMetrics } from './metrics.ts';
import type { OwnHost } from './own-host.ts';
import { RequestLog, type RequestLogger } from './request-log.ts';
import { withShortcuts } from './shortcut.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const keepAliveTimeoutMs = 72_000;

export interface ListenerOptions extends ListenerLimits {
  logger: RequestLogger;
  metrics: HttpMetrics;
  /** Where the problem codes are explained. */
  baseUrl: string;
  trustedProxies: string[];
  /** What pages of other origins may do; nothing without it. */
  cors?: Cors;
  /**
   * For the people who run the registry alone: refuses what was sent to another host, or by a page of another
   * origin, and no cache keeps an answer. Without it the listener is for all.
   */
  ownHost?: OwnHost;
  /** How long a reader may take nothing of its answer; half a minute unless given. */
  stallMsMax?: number;
  /** Whether the process is about to end: then connections are not kept. */
  isDraining: () => boolean;
}

/**
 * An HTTP listener without routes: whatever goes wrong on it is answered as problem details, and
 * each request is logged once, by its route and never by its address.
 */
export function createListener(options: ListenerOptions): FastifyInstance {
  const { baseUrl, logger, ownHost, isDraining } = options;
  const proxies = new TrustedProxies(options.trustedProxies);
  const requestLog = new RequestLog({ ...options, proxies });
  const socketProblems = new SocketProblems({ baseUrl, logger, requestLog, isDraining });
  const app = createServer(options, { proxies, requestLog, socketProblems });

  acceptJson(app);
  knowAllMethods(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.raw.exchange.route = request.routeOptions.url ?? null;
    reply.header('x-request-id', request.id);
    done();
  });
  // Before any connection: a port that was left to the system is known then.
  app.server.once('listening', () => ownHost?.listensOn(app.server.address() as AddressInfo));
  takeRequests(app, options, { requestLog, socketProblems });
  refuseEarly(app, { ownHost, proxies, baseUrl });
  completeAnswers(app, options);
  closeLingering(app);
  disconnectStalledReaders(app.server, options.stallMsMax);
  requestLog.watch(app);
  return app;
}

interface ServerParts {
  proxies: TrustedProxies;
  requestLog: RequestLog;
  socketProblems: SocketProblems;
}

/** The framework on a server of Node, with an answer to whatever goes wrong, also where no hook runs. */
function createServer(options: ListenerOptions, parts: ServerParts): FastifyInstance {
  const { proxies, socketProblems } = parts;
  const { http, ...limits } = serverLimits(options);
  const answerError = errorHandler(options.baseUrl);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => request.exchange.id,
    // One of its own for each request would be made in vain for most.
    childLoggerFactory: (logger) => logger,
    ...limits,
    trustProxy: options.trustedProxies.length > 0 && ((address: string) => proxies.trusts(address)),
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A missing Host is told by a hook, as a problem.
    http: { ...http, requireHostHeader: false },
    clientErrorHandler: (error, socket) => socketProblems.answerFault(error, socket),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      options.cors?.addTo(request, reply);
      answerError(error, request, reply);
    },
  }) as unknown as FastifyInstance;
  app.setErrorHandler(answerError);
  // Who has said all that it has to say may end its side, and is still answered (RFC 9112, 9.6).
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.server.on('checkExpectation', (request, response) => socketProblems.answerExpectation(request, response));
  app.server.on('connect', (_request, socket) => socketProblems.answerConnect(socket));
  return app;
}

/** So that a request by any method finds its path, and is told 405 or 404. */
function knowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false });
  }
}

/** Takes each request before the framework does: what is refused for want of time must itself take little. */
function takeRequests(
  app: FastifyInstance,
  options: ListenerOptions,
  { requestLog, socketProblems }: Omit<ServerParts, 'proxies'>,
): void {
  const [serve] = app.server.listeners('request') as [RequestListener];
  const overload = new Overload({
    requestsMax: options.requestsAtOnceMax,
    serve: withShortcuts(app, serve, options),
    refuse: (exchange) => socketProblems.answerOverload(exchange),
  });
  // One for all: a function for each request, and to take it off again, would cost more than what it does.
  const closed = function (this: ServerResponse) {
    overload.release();
    if (this.headersSent) requestLog.tell(this.req.exchange);
  };
  function take(exchange: Exchange): void {
    exchange.behind = undefined;
    if (exchange.request.socket.destroyed) return;
    if (overload.take(exchange)) exchange.response.on('close', closed);
  }
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const before = request.socket.exchange;
    const exchange = new Exchange(request, response);
    // Of a connection one at a time, as they are answered in order: who pipelines takes no room from others.
    if (before && !before.response.closed) {
      exchange.behind = before;
      before.response.once('close', () => take(exchange));
    } else take(exchange);
  });
}

interface EarlyChecks {
  ownHost: OwnHost | undefined;
  proxies: TrustedProxies;
  baseUrl: string;
}

/** What is refused whatever the route, before anything of the request is looked at. */
function refuseEarly(app: FastifyInstance, { ownHost, proxies, baseUrl }: EarlyChecks): void {
  const isHttps = baseUrl.startsWith('https:');
  app.addHook('onRequest', (request, _reply, done) => {
    requireHost(request.raw);
    const { config } = request.routeOptions;
    if (!config?.anyHost) ownHost?.refuseForeignHost(request);
    ownHost?.refuseForeignOrigin(request);
    if (request.is404 || config?.isUnknown?.(request)) throw pathNotFound();
    if (isHttps) proxies.refusePlaintext(request);
    done();
  });
  // The hooks have answered it.
  app.setNotFoundHandler(() => {});
}

/** The fields that every answer gets, good or bad. */
function completeAnswers(app: FastifyInstance, { cors, ownHost, isDraining }: ListenerOptions): void {
  // Asked this late, as a request may have begun long before the process was told to end.
  app.addHook('onSend', (request, reply, payload, done) => {
    cors?.addTo(request, reply);
    const { cacheable } = request.routeOptions.config ?? {};
    if (ownHost && !cacheable) reply.header('cache-control', 'no-store');
    if (isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
