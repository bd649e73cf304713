import { METHODS, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { acceptJson } from './accept-json.ts';
import type { Cors } from './cors.ts';
import { errorHandler } from './error-handler.ts';
import { type ListenerLimits, serverLimits } from './listener-limits.ts';
import type { HttpMetrics } from './metrics.ts';
import { Overload } from './overload.ts';
import type { OwnHost } from './own-host.ts';
import { HttpProblem, pathNotFound } from './problem.ts';
import { RequestLog } from './request-log.ts';
import { addRequestState } from './request-state.ts';
import { SocketProblems } from './socket-problem.ts';
import { cutStalledReaders } from './stalled-readers.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const keepAliveTimeoutMs = 72_000;

export interface ListenerOptions extends ListenerLimits {
  logger: Logger;
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
  const requestLog = new RequestLog(options.metrics);
  const socketProblems = new SocketProblems({ baseUrl, logger, requestLog, isDraining });
  const latest = new WeakMap<Socket, FastifyReply>();
  const app = createServer(options, { proxies, requestLog, socketProblems, latest });

  addRequestState(app);
  acceptJson(app);
  knowAllMethods(app);
  app.addHook('onRequest', (request, reply, done) => {
    latest.set(request.raw.socket, reply);
    reply.header('x-request-id', request.id);
    done();
  });
  // Before any connection: a port that was left to the system is known then.
  app.server.once('listening', () => ownHost?.listensOn(app.server.address() as AddressInfo));
  refuseTooMany(app, { overload: new Overload(options.requestsAtOnceMax), socketProblems });
  refuseEarly(app, { ownHost, proxies, baseUrl });
  completeAnswers(app, options);
  cutStalledReaders(app, options.stallMsMax);
  requestLog.watch(app);
  return app;
}

interface ServerParts {
  proxies: TrustedProxies;
  requestLog: RequestLog;
  socketProblems: SocketProblems;
  /** The reply to the latest request of a connection. */
  latest: WeakMap<Socket, FastifyReply>;
}

/** The framework on a server of Node, with an answer to whatever goes wrong, also where no hook runs. */
function createServer(options: ListenerOptions, parts: ServerParts): FastifyInstance {
  const { proxies, requestLog, socketProblems, latest } = parts;
  const { http, ...limits } = serverLimits(options);
  const answerError = errorHandler(options.baseUrl);
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidv7(),
    ...limits,
    trustProxy: options.trustedProxies.length > 0 && ((address: string) => proxies.trusts(address)),
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A missing Host is told by a hook, as a problem.
    http: { ...http, requireHostHeader: false },
    clientErrorHandler: (error, socket) => socketProblems.answerFault({ error, socket, latest: latest.get(socket) }),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      options.cors?.addTo(request, reply);
      answerError(error, request, reply);
      requestLog.tell(request, reply);
    },
  }) as unknown as FastifyInstance;
  app.setErrorHandler(answerError);
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

/** Before the framework is asked: what is refused for want of time must itself take little. */
function refuseTooMany(
  app: FastifyInstance,
  { overload, socketProblems }: { overload: Overload; socketProblems: SocketProblems },
): void {
  const [serve] = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request').on('request', (request, response) => {
    if (overload.take(response)) serve?.(request, response);
    else socketProblems.answerOverload(request, response);
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
    requireHost(request);
    if (!request.routeOptions.config?.anyHost) ownHost?.refuseForeignHost(request);
    ownHost?.refuseForeignOrigin(request);
    if (request.is404) throw pathNotFound();
    if (isHttps) proxies.refusePlaintext(request);
    done();
  });
  // The hooks have answered it.
  app.setNotFoundHandler(() => {});
}

/** RFC 9112, 3.2. */
function requireHost({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion === '1.1') {
    throw new HttpProblem('malformed_request', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // Of several, each reader would take another one.
  if (countHosts(raw.rawHeaders) > 1) {
    throw new HttpProblem('malformed_request', 'The request has more than one Host header.');
  }
}

/** Names and values take turns. */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
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
