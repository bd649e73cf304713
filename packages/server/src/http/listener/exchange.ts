import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { TokenHolder } from '../../features/access/authenticate.ts';
import { newUuid } from '../../kernel/uuid.ts';
import type { Quota } from '../limits/rate-limit.ts';

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
