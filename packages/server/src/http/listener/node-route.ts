import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { HolderOf, Restricted } from '../auth/bearer-auth.ts';
import type { Quota } from '../limits/rate-limit.ts';

/**
 * A route that is served on `node:http` itself: the framework would take longer than the work of the request. For
 * clients it is like any other route of a public listener.
 */
export interface LeanRoute<Granted extends Restricted = Restricted> {
  /** GET serves HEAD, too. */
  method: 'GET' | 'PATCH';
  path: `/${string}/:id`;
  access: Granted;
  /** Counts a request against a limit of its holder, once that is known (decision 17: before 403). */
  count(holder: TokenHolder): Quota;
  /**
   * Starts while the token is looked up, so that what it reads first is in the same batch. Awaits the holder before
   * anything else: the problem of the token or its quota precedes any other.
   */
  handle(exchange: Exchange, id: string, admitted: Promise<HolderOf<Granted>>): Promise<PreparedResponse>;
}

/** A lean route whose `handle` receives the holder that its access guarantees. */
export function leanRoute<const Granted extends Restricted>(declared: LeanRoute<Granted>): LeanRoute {
  return declared;
}

declare module 'node:http' {
  interface IncomingMessage {
    /** Set on every request of a listener. */
    exchange: Exchange;
  }
}

declare module 'node:net' {
  interface Socket {
    /** The latest on the connection with a well-formed header. */
    exchange?: Exchange;
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
export class Exchange {
  /** Generated here (decision 31), never taken from the client. */
  readonly id = newUuid().toString();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As in the route table; null while unknown, and without a route. */
  route: string | null = null;
  /** Whose token the request carries; null until it is known, and on a route for anyone. */
  holder: TokenHolder | null = null;
  /** What the request has taken; its problem is reported instead of any other. Null while nothing was counted. */
  quota: Quota | null = null;
  /** Whether the connection closes after the response, since more of a refused body may follow. */
  closesConnection = false;
  /** The previous one on the connection, while this one waits for its response. */
  behind: Exchange | undefined;
  isLogged = false;
  readonly #startedAt = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    request.exchange = this;
    request.socket.exchange = this;
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }
}
