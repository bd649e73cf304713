import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import { type Authenticate, requireAccess, requireToken } from '../auth/bearer-auth.ts';
import type { TokenUses } from '../auth/token-uses.ts';
import { reasonPhrase } from '../problem/problem.ts';
import type { ProblemResponder } from '../problem/to-problem.ts';
import { destroyConnection, lingerUnlessComplete } from './close-connection.ts';
import type { Cors } from './cors.ts';
import type { Exchange, LeanRoute, PreparedResponse } from './node-route.ts';
import { methodsOf } from './request-header.ts';
import { logOf, type RequestLog } from './request-log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    leanRoutes: LeanRoutes;
  }
}

interface LeanRoutesOptions {
  /** The checks of every route, before any other. */
  checkHeader: (request: IncomingMessage) => void;
  respondToError: ProblemResponder;
  requestLog: RequestLog;
  logger: Logger;
  cors?: Cors | undefined;
  isDraining: () => boolean;
}

interface Admission {
  authenticate: Authenticate;
  tokenUses?: Pick<TokenUses, 'record'> | undefined;
}

/** The lean routes of a listener. */
export class LeanRoutes {
  readonly #options: LeanRoutesOptions;

  constructor(options: LeanRoutesOptions) {
    this.#options = options;
  }

  mount(app: FastifyInstance, route: LeanRoute, admission: Admission): void {
    app.route<{ Params: { id: string } }>({
      method: methodsOf([route]),
      url: route.path,
      onRequest: (request, reply) => {
        reply.hijack();
        void this.#serve(request.raw.exchange, { route, admission, id: request.params.id });
      },
      handler: () => {},
    });
  }

  /** Never rejects. */
  async #serve(
    exchange: Exchange,
    { route, admission, id }: { route: LeanRoute; admission: Admission; id: string },
  ): Promise<void> {
    const { checkHeader, respondToError } = this.#options;
    try {
      checkHeader(exchange.request);
      const response = await route.handle(exchange, id, admit(exchange, route, admission));
      if (response.body instanceof Readable) await this.#untilFirstPiece(exchange, response.body);
      this.#send(exchange, response);
    } catch (error) {
      this.#send(exchange, respondToError(error, exchange));
    }
  }

  #send(exchange: Exchange, prepared: PreparedResponse): void {
    const { request, response } = exchange;
    const { status, body } = prepared;
    // The client has disconnected.
    if (response.closed) {
      if (body instanceof Readable) body.destroy();
      this.#options.requestLog.log(exchange, status);
      return;
    }
    lingerUnlessComplete(request);
    response.writeHead(status, reasonPhrase(status), this.#fieldsOf(exchange, prepared));
    if (body instanceof Readable) body.pipe(response);
    else response.end(body);
  }

  #fieldsOf(
    { id, request, quota, closesConnection }: Exchange,
    { fields, body }: PreparedResponse,
  ): Record<string, string | number> {
    const { cors, isDraining } = this.#options;
    return {
      'x-request-id': id,
      ...quota?.headers,
      ...fields,
      ...cors?.fieldsOf(request, fields.vary),
      ...((closesConnection || isDraining()) && { connection: 'close' }),
      ...((typeof body === 'string' || body instanceof Buffer) && { 'content-length': Buffer.byteLength(body) }),
    };
  }

  /** Rejects with an error that precedes the first piece of a body. Any later one can only abort the response. */
  async #untilFirstPiece({ id, response }: Exchange, body: Readable): Promise<void> {
    const closed = once(response, 'close').then(() => body.destroy());
    body.on('error', (error) => {
      if (!response.headersSent) return;
      logOf({ log: this.#options.logger, id }).error({ err: error }, 'response aborted');
      destroyConnection(response.socket);
    });
    await Promise.race([once(body, 'readable'), closed]);
  }
}

/** The holder of the request's token, against whose limits the request counts. */
async function admit<Holder extends TokenHolder>(
  exchange: Exchange,
  { access, count }: LeanRoute,
  { authenticate, tokenUses }: Admission,
): Promise<Holder> {
  const holder = await requireToken(authenticate, exchange.request);
  tokenUses?.record(holder);
  exchange.quota = count(holder);
  requireAccess(holder, access);
  return holder as Holder;
}
