import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { newUuidText } from '../../registry/uuid.ts';
import type { HttpProblem } from '../problem/problem.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** Of every request that a listener takes. */
    exchange: Exchange;
  }
}

declare module 'node:net' {
  interface Socket {
    /** The latest of the connection whose header was well-formed. */
    exchange?: Exchange;
  }
}

/** A request and its answer, from the moment that its header has come. */
export class Exchange {
  /** Made here (decision 31): what a client sends as one is never taken. */
  readonly id = newUuidText();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As it stands in the route table; null until it is known, and where there is none. */
  route: string | null = null;
  /** Whose token the request carries; null until it is known, and on a route for anyone. */
  holder: TokenHolder | null = null;
  /** Sent instead of any other problem, unless the request turns out not to count. */
  overLimit: HttpProblem | null = null;
  /** Of the requested app, where the route reads it in the same batch as the token; rejects when there is none. */
  appRevision: Promise<number> | null = null;
  /** The one before it on its connection, as long as it waits for the end of that. */
  behind: Exchange | undefined;
  isLogged = false;
  readonly #beganAt = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    request.exchange = this;
    request.socket.exchange = this;
  }

  get seconds(): number {
    return (performance.now() - this.#beganAt) / 1_000;
  }
}
