import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Principal } from '../../features/access/access-token.ts';
import { type Authenticate, requireAccess, requireToken, type TokenUses } from '../auth/bearer-auth.ts';
import type { ProblemResponder } from '../problem/to-problem.ts';
import { closeLingering, destroyConnection } from './connections.ts';
import {
  logOf,
  type NodeRoute,
  type PreparedResponse,
  type RequestContext,
  type RequestLog,
} from './request-context.ts';
import { type Cors, methodsOf } from './request-header.ts';

declare module 'fastify' {
  interface FastifyInstance {
    nodeRoutes: NodeRoutes;
  }
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
export class NodeRoutes {
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
