import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Principal } from '../../features/access/access-token.ts';
import { type Authenticate, requireAccess, requireToken, type TokenUses } from '../auth/bearer-auth.ts';
import { compressResponse } from '../body/header-fields.ts';
import { acceptJson } from '../body/json-body.ts';
import { Overload } from '../limits/overload.ts';
import { type ProblemDocs, pathNotFound } from '../problem/problem.ts';
import { SocketProblems } from '../problem/socket-problem.ts';
import { errorHandler, type ProblemResponder, problemResponder } from '../problem/to-problem.ts';
import { closeLingering, destroyConnection, type ListenerLimits, serverLimits } from './connections.ts';
import { OpenConnections } from './open-connections.ts';
import {
  type HttpMetrics,
  logOf,
  type NodeRoute,
  type PreparedResponse,
  RequestContext,
  RequestLog,
} from './request-context.ts';
import { type Cors, methodsOf, type OwnHost, requireValidHeader, TrustedProxies } from './request-header.ts';

declare module 'fastify' {
  interface FastifyInstance {
    nodeRoutes: NodeRoutes;
  }
}

const keepAliveTimeoutMs = 72_000;

export interface ListenerOptions extends ListenerLimits, ProblemDocs {
  logger: Logger;
  metrics: HttpMetrics;
  trustedProxies: string[];
  /** What pages of other origins may do; without it, nothing. */
  cors?: Cors;
  /**
   * Makes the listener one for operators: it rejects requests to another host and from pages of another origin, and
   * responses are not cached. Without it the listener is public.
   */
  ownHost?: OwnHost;
  /** Connections at the same time; without it, or with 0, any number. */
  connectionsMax?: number;
  /** How long a client may read nothing of its response; without it, or with 0, for ever. */
  stallMsMax?: number;
  /** Aborted once the process shuts down: then connections are closed after their response. */
  draining: AbortSignal;
}

/**
 * An HTTP listener without routes. It reports every failure as problem details, and logs each request once, by its
 * route and never by its URL.
 */
export function createListener(options: ListenerOptions): FastifyInstance {
  const { logger, ownHost, draining } = options;
  const proxies = new TrustedProxies(options.trustedProxies);
  const requestLog = new RequestLog({ ...options, clientOf: (request) => proxies.clientOf(request) });
  const socketProblems = new SocketProblems({ docs: options, logger, requestLog, draining });
  const respondToError = problemResponder(options, logger);
  const app = createServer(options, { socketProblems, respondToError });
  const requireEncryption = encryptionCheck(ownHost ? options.operatorBaseUrl : options.baseUrl, proxies);
  const checkHeader = (request: IncomingMessage) => {
    requireValidHeader(request);
    requireEncryption(request);
  };
  app.decorate('nodeRoutes', new NodeRoutes({ ...options, checkHeader, respondToError, requestLog }));

  acceptJson(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.raw.context.route = request.routeOptions.url ?? null;
    reply.header('x-request-id', request.id);
    done();
  });
  // Precedes any connection; a port that the system chooses is known now.
  app.server.once('listening', () => {
    const address = app.server.address();
    if (typeof address === 'object' && address !== null) ownHost?.listensOn(address);
  });
  acceptRequests(app, options, { connections: openConnections(app, options), requestLog, socketProblems });
  checkEarly(app, { ownHost, requireEncryption });
  completeResponses(app, options);
  requestLog.watch(app);
  return app;
}

interface ServerParts {
  socketProblems: SocketProblems;
  respondToError: ProblemResponder;
}

/** The framework on a Node server that responds to every failure, also where no hook runs. */
function createServer(options: ListenerOptions, parts: ServerParts): FastifyInstance {
  const { socketProblems } = parts;
  const { http, ...limits } = serverLimits(options);
  const respondToError = errorHandler(parts.respondToError);
  // Widened, so that the instance has Fastify's default type.
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => request.context.id,
    // Most requests need no logger of their own.
    childLoggerFactory: (logger) => logger,
    ...limits,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A hook reports a missing Host, as a problem.
    http: { ...http, requireHostHeader: false },
    clientErrorHandler: (error, socket) => socketProblems.respondToParserError(error, socket),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      if (options.cors) reply.headers(options.cors.fieldsOf(request, undefined));
      respondToError(error, request, reply);
    },
  });
  app.setErrorHandler(respondToError);
  // A client may half-close its connection, and still gets its response (RFC 9112, 9.6).
  // Every header field counts, and `requireValidHeader` limits how many there may be.
  Object.assign(app.server, { httpAllowHalfOpen: true, maxHeadersCount: 0 });
  app.server.on('checkExpectation', (request, response) => socketProblems.rejectExpectation(request, response));
  app.server.on('connect', (_request, socket) => socketProblems.rejectConnect(socket));
  return app;
}

function openConnections({ server }: FastifyInstance, options: ListenerOptions): OpenConnections {
  const { connectionsMax = 0, stallMsMax = 0, metrics, ownHost } = options;
  const labels = { listener: ownHost ? 'operator' : 'public' };
  // Initialised to 0, so that an alert can detect the first increase.
  metrics.connectionsDropped.inc(labels, 0);
  const onDropped = () => metrics.connectionsDropped.inc(labels);
  return new OpenConnections(server, { connectionsMax, stallMsMax, onDropped });
}

interface AcceptParts {
  connections: OpenConnections;
  requestLog: RequestLog;
  socketProblems: SocketProblems;
}

/** Accepts each request before the framework does: rejecting one in an overload must be cheap. */
function acceptRequests(
  app: FastifyInstance,
  options: ListenerOptions,
  { connections, requestLog, socketProblems }: AcceptParts,
): void {
  const overload = new Overload({
    requestsMax: options.requestsAtOnceMax,
    serve: ({ request, response }) => app.routing(request, response),
    reject: (context) => socketProblems.rejectOverload(context),
  });
  // Shared by all requests: adding and removing a function for each would cost more than the work itself.
  const release = function (this: ServerResponse) {
    const { context } = this.req;
    if (context.holdsPlace) overload.release();
    context.holdsPlace = false;
  };
  const onClose = function (this: ServerResponse) {
    const { context } = this.req;
    release.call(this);
    connections.endRequest(context);
    if (this.headersSent) requestLog.log(context);
  };
  function accept(context: RequestContext): void {
    context.behind = undefined;
    const { destroyed, writableEnded } = context.request.socket;
    // The latter after a response that closes the connection: what follows must not be executed (RFC 9112, 9.6).
    if (destroyed || writableEnded) return;
    context.holdsPlace = overload.accept(context);
    // A response that was produced takes no more work, however slowly its client reads it.
    context.response.on('prefinish', release).on('close', onClose);
  }
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const previous = request.socket.context;
    const context = new RequestContext(request, response);
    // One at a time per connection, since responses keep their order: a client that pipelines takes no more capacity.
    if (previous && !previous.response.closed) context.behind = previous;
    connections.beginRequest(context);
    context.behind?.response.once('close', () => {
      connections.endWait(context);
      // In another turn of the event loop, so that what has arrived on other connections is served in between.
      setImmediate(accept, context);
    });
    if (!context.behind) accept(context);
  });
}

type EncryptionCheck = (request: IncomingMessage, signsIn?: boolean) => void;

/** Where the base address is https, makes a check that no proxy received the secret of a request unencrypted. */
function encryptionCheck(baseUrl: string, proxies: TrustedProxies): EncryptionCheck {
  return baseUrl.startsWith('https:') ? (request, signsIn) => proxies.rejectPlaintext(request, signsIn) : () => {};
}

interface EarlyChecks {
  ownHost: OwnHost | undefined;
  requireEncryption: EncryptionCheck;
}

/** Checks that apply to every route of the framework, before any other. */
function checkEarly(app: FastifyInstance, { ownHost, requireEncryption }: EarlyChecks): void {
  app.addHook('onRequest', (request, _reply, done) => {
    requireValidHeader(request.raw);
    const { config } = request.routeOptions;
    if (!config?.anyHost) ownHost?.rejectForeignHost(request);
    if (!config?.anyOrigin) ownHost?.rejectForeignOrigin(request);
    if (request.is404) throw pathNotFound();
    requireEncryption(request.raw, config?.signsIn);
    done();
  });
  // The hooks have responded.
  app.setNotFoundHandler(() => {});
}

/** The fields of every response, and the end of its connection. */
function completeResponses(app: FastifyInstance, { cors, ownHost, draining }: ListenerOptions): void {
  // Checked this late, as a request can have started long before the shutdown.
  app.addHook('onSend', async (request, reply, payload) => {
    const { anyOrigin, cacheable, returnsSecret } = request.routeOptions.config ?? {};
    if (cors && !anyOrigin) reply.headers(cors.fieldsOf(request, reply.getHeader('vary')));
    if (ownHost && !cacheable) reply.header('cache-control', 'no-store');
    reply.headers(request.raw.context.quota?.headers ?? {});
    if (draining.aborted) reply.header('connection', 'close');
    if (!request.raw.complete) closeLingering(request.raw);
    // The public listener compresses what it serves in its routes.
    return ownHost && !returnsSecret ? compressResponse(request, reply, payload) : payload;
  });
}

interface NodeRoutesOptions {
  /** The checks of every route, before any other. */
  checkHeader: (request: IncomingMessage) => void;
  respondToError: ProblemResponder;
  requestLog: RequestLog;
  logger: Logger;
  cors?: Cors | undefined;
  draining: AbortSignal;
}

interface Authorization {
  authenticate: Authenticate;
  tokenUses?: Pick<TokenUses, 'record'> | undefined;
}

/** The Node routes of a listener. */
class NodeRoutes {
  readonly #options: NodeRoutesOptions;

  constructor(options: NodeRoutesOptions) {
    this.#options = options;
  }

  mount(app: FastifyInstance, route: NodeRoute, authorization: Authorization): void {
    app.route<{ Params: { id: string } }>({
      method: methodsOf([route]),
      url: route.path,
      onRequest: (request, reply) => {
        reply.hijack();
        void this.#serve(request.raw.context, { route, authorization, id: request.params.id });
      },
      handler: () => {},
    });
  }

  /** Never rejects. */
  async #serve(
    context: RequestContext,
    { route, authorization, id }: { route: NodeRoute; authorization: Authorization; id: string },
  ): Promise<void> {
    const { checkHeader, respondToError } = this.#options;
    try {
      checkHeader(context.request);
      const response = await route.handle(context, id, authorize(context, route, authorization));
      if (response.body instanceof Readable) await this.#untilFirstPiece(context, response.body);
      this.#send(context, response);
    } catch (error) {
      this.#send(context, respondToError(error, context));
    }
  }

  #send(context: RequestContext, prepared: PreparedResponse): void {
    const { request, response } = context;
    const { status, phrase, body } = prepared;
    // The client has disconnected.
    if (response.closed) {
      if (body instanceof Readable) body.destroy();
      this.#options.requestLog.log(context, status);
      return;
    }
    if (!request.complete) closeLingering(request);
    response.writeHead(status, phrase, this.#fieldsOf(context, prepared));
    if (body instanceof Readable) body.pipe(response);
    else response.end(body);
  }

  #fieldsOf(
    { id, request, quota, closesConnection }: RequestContext,
    { fields, body }: PreparedResponse,
  ): Record<string, string | number> {
    const { cors, draining } = this.#options;
    return {
      'x-request-id': id,
      ...quota?.headers,
      ...fields,
      ...cors?.fieldsOf(request, fields.vary),
      ...((closesConnection || draining.aborted) && { connection: 'close' }),
      ...((typeof body === 'string' || body instanceof Buffer) && { 'content-length': Buffer.byteLength(body) }),
    };
  }

  /** Rejects with an error that precedes the first piece of a body. Any later one can only abort the response. */
  async #untilFirstPiece({ id, response }: RequestContext, body: Readable): Promise<void> {
    const closed = once(response, 'close').then(() => body.destroy());
    body.on('error', (error) => {
      if (!response.headersSent) return;
      logOf({ log: this.#options.logger, id }).error({ err: error }, 'response aborted');
      destroyConnection(response.socket);
    });
    await Promise.race([once(body, 'readable'), closed]);
  }
}

/** The principal of the request's token, against whose limits the request counts. */
async function authorize<Holder extends Principal>(
  context: RequestContext,
  { access, count }: NodeRoute,
  { authenticate, tokenUses }: Authorization,
): Promise<Holder> {
  const principal = await requireToken(authenticate, context.request);
  tokenUses?.record(principal);
  context.quota = count(principal);
  requireAccess(principal, access);
  return principal as Holder;
}
