import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import type { TokenHolder } from '../registry/authenticate.ts';
import type { Cors } from './cors.ts';
import { parseJson } from './json.ts';
import { jsonMediaTypes } from './json-body.ts';
import type { HttpMetrics } from './metrics.ts';
import { Overload } from './overload.ts';
import { HttpProblem, problemBody, problemMediaType, problemStatuses } from './problem.ts';
import { RequestLog } from './request-log.ts';
import { sendJson } from './send-json.ts';
import { SocketProblems } from './socket-problem.ts';
import { cutStalledReaders } from './stalled-readers.ts';
import { toProblem } from './to-problem.ts';
import { TrustedProxies } from './trusted-proxies.ts';

const noLimit = Number.MAX_SAFE_INTEGER;
const checkIntervalMsMax = 1_000;
const keepAliveTimeoutMs = 72_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token the request carries, once that is known. */
    holder: TokenHolder | null;
    /** Told in place of any other fault, unless the request turns out not to count. */
    overLimit: HttpProblem | null;
  }
}

/** 0 means no limit. */
export interface ListenerLimits {
  bodyBytesMax: number;
  headerBytesMax: number;
  headersTimeoutMs: number;
  /** For the header and the body together. */
  requestTimeoutMs: number;
  requestsAtOnceMax: number;
}

export interface ListenerOptions extends ListenerLimits {
  logger: Logger;
  metrics: HttpMetrics;
  /** Where the problem codes are explained. */
  baseUrl: string;
  trustedProxies: string[];
  /** What pages of other origins may do; nothing without it. */
  cors?: Cors;
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
  const { logger, baseUrl, cors } = options;
  const headerBytesMax = options.headerBytesMax || noLimit;
  const overload = new Overload(options.requestsAtOnceMax);
  const proxies = new TrustedProxies(options.trustedProxies);
  const requestLog = new RequestLog(options.metrics);
  const socketProblems = new SocketProblems({ baseUrl, logger, requestLog });
  const latest = new WeakMap<Socket, FastifyReply>();
  const app: FastifyInstance = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => uuidv7(),
    bodyLimit: options.bodyBytesMax || noLimit,
    requestTimeout: options.requestTimeoutMs,
    trustProxy: options.trustedProxies.length > 0 && ((address: string) => proxies.trusts(address)),
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: headerBytesMax },
    http: {
      maxHeaderSize: headerBytesMax,
      ...timeouts(options),
      // A missing Host is told by a hook, as a problem.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => socketProblems.answerFault({ error, socket, latest: latest.get(socket) }),
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for these.
      reply.header('x-request-id', request.id);
      cors?.addTo(request, reply);
      answerError(error, request, reply);
      requestLog.tell(request, reply);
    },
  }) as unknown as FastifyInstance;

  app.decorateRequest('holder', null);
  app.decorateRequest('overLimit', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonMediaTypes, { parseAs: 'buffer' }, async (_request: unknown, body: string | Buffer) =>
    parseJson(body as Buffer),
  );
  // The rules of the registry judge every value; bodies and parameters reach them as they came.
  app.setValidatorCompiler(() => () => true);
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false });
  }
  app.server.on('checkExpectation', (request, response) => socketProblems.answerExpectation(request, response));
  app.server.on('connect', (_request, socket) => socketProblems.answerConnect(socket));

  app.addHook('onRequest', async (request, reply) => {
    latest.set(request.raw.socket, reply);
    reply.header('x-request-id', request.id);
    overload.take(reply);
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new HttpProblem('malformed_request', 'The request has no Host header, which HTTP/1.1 requires.');
    }
    if (request.is404) {
      throw new HttpProblem('path_not_found', 'Nothing is served at this path. Check the address.');
    }
    if (baseUrl.startsWith('https:')) proxies.refusePlaintext(request);
  });
  // Asked this late, as a request may have begun long before the process was told to end.
  app.addHook('onSend', (request, reply, payload, done) => {
    cors?.addTo(request, reply);
    if (options.isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
  cutStalledReaders(app, options.stallMsMax);
  requestLog.watch(app);
  app.setNotFoundHandler(() => {});
  app.setErrorHandler(answerError);
  return app;

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const { code, detail, faults, headers, unexpected } = toProblem(request.overLimit ?? error);
    if (unexpected) request.log.error({ err: error }, 'a request failed');
    const body = problemBody(baseUrl, { code, detail, faults, requestId: request.id });
    reply.code(problemStatuses[code]).headers({ 'cache-control': 'no-store', ...headers });
    return sendJson(reply, body, problemMediaType);
  }
}

/** The header is part of the request, and Node refuses a longer time for it. */
function timeouts({ headersTimeoutMs, requestTimeoutMs }: ListenerLimits) {
  const headersTimeout =
    requestTimeoutMs > 0 ? Math.min(headersTimeoutMs || requestTimeoutMs, requestTimeoutMs) : headersTimeoutMs;
  const shortest = Math.min(headersTimeout || checkIntervalMsMax, checkIntervalMsMax);
  return { requestTimeout: requestTimeoutMs, headersTimeout, connectionsCheckingInterval: shortest };
}
