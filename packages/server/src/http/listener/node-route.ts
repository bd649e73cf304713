import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Principal } from '../../features/access/authenticate.ts';
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
  /** Counts a request against a limit of its principal, once that is known (decision 17: before 403). */
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
  fields: Record<string, string>;
  /** A text is sent in one piece with the header, bytes and a stream after it. */
  body: string | Buffer | Readable | null;
}

/** A request and its response, from the moment its header arrived. */
export class RequestContext {
  /** Generated here (decision 31), never taken from the client. */
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
