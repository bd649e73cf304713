import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ProblemCode } from '../../contract/problem.ts';
import { newUuidText } from '../../registry/uuid.ts';
import type { Exchange } from '../listener/exchange.ts';
import type { RequestLog } from '../listener/request-log.ts';
import { problemBody, problemMediaType } from './problem.ts';

const lingerMs = 1_000;
const retryAfterSeconds = '1';
const ending = { connection: 'close' };

export interface SocketProblemOptions {
  baseUrl: string;
  logger: Logger;
  requestLog: RequestLog;
  /** Whether the process is about to end: then connections are not kept. */
  isDraining: () => boolean;
}

/** Answers, outside the routes, what the HTTP parser could not make a request of. */
export class SocketProblems {
  readonly #options: SocketProblemOptions;
  readonly #ending = new WeakSet<Duplex>();

  constructor(options: SocketProblemOptions) {
    this.#options = options;
  }

  /** Answers a fault of the parser, or of a client that is too slow, and ends the connection. */
  answerFault(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // The parser complains about each piece of what follows, too.
    if (this.#ending.has(socket)) return;
    this.#ending.add(socket);

    const [code, detail] = describe(error.code);
    const answer = (exchange?: Exchange) => this.#answer(socket, this.#compose(code, detail, exchange));
    const { exchange: latest } = socket as Socket;
    if (!latest) answer();
    else if (latest.behind) {
      // Those before it are answered first.
      latest.behind.response.once('close', () => answer(latest));
    } else if (latest.request.complete) {
      // The fault is in what follows that request, which is answered first.
      if (latest.response.writableFinished) answer();
      else latest.response.once('finish', () => answer());
    } else if (latest.response.headersSent) end(socket);
    else answer(latest);
  }

  /** Answers a CONNECT, whose target is never a path (RFC 9110, 9.3.6). */
  answerConnect(socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    this.#answer(socket, this.#compose('path_not_found', 'The registry is no proxy.'));
  }

  /** Answers an `Expect` that is not `100-continue` (RFC 9110, 10.1.1). */
  answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
    const { status, headers, text } = this.#compose(
      'expectation_failed',
      'Only "Expect: 100-continue" can be met here.',
    );
    response.writeHead(status, { ...headers, ...ending }).end(text);
  }

  /** Answers a request that is one too many, and keeps the connection, which costs less than another one. */
  answerOverload(exchange: Exchange): void {
    const { status, headers, text } = this.#compose(
      'unavailable',
      'The registry has more requests than it can serve at the moment. Nothing was changed; repeat the request in a moment.',
      exchange,
    );
    const fields = { ...headers, ...(this.#options.isDraining() && ending), 'retry-after': retryAfterSeconds };
    exchange.response.writeHead(status, fields).end(text);
  }

  #answer(socket: Duplex, { statusLine, headers, text }: Composed): void {
    // It may have ended behind the answer that went before.
    if (!socket.writable) return;
    const fields = Object.entries({ ...headers, ...ending }).map(([name, value]) => `${name}: ${value}`);
    end(socket, [statusLine, ...fields, '', text].join('\r\n'));
  }

  #compose(code: ProblemCode, detail: string, latest?: Exchange): Composed {
    const { baseUrl, logger, requestLog } = this.#options;
    const requestId = latest?.id ?? newUuidText();
    const problem = problemBody(baseUrl, { code, detail, requestId });
    const { status, title } = problem;
    if (latest) requestLog.tell(latest, status);
    else logger.info({ requestId, method: null, route: null, status, durationMs: 0 }, 'request');

    const text = JSON.stringify(problem);
    const headers = {
      'content-type': problemMediaType,
      'content-length': Buffer.byteLength(text),
      'x-request-id': requestId,
      'cache-control': 'no-store',
    };
    return { status, statusLine: `HTTP/1.1 ${status} ${title}`, headers, text };
  }
}

interface Composed {
  status: number;
  statusLine: string;
  headers: Record<string, string | number>;
  text: string;
}

function end(socket: Duplex, answer = ''): void {
  socket.end(answer);
  // Closed at once, a client that is still sending would not read the answer.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function describe(parserCode: string | undefined): [ProblemCode, string] {
  switch (parserCode) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The header of the request is larger than the registry accepts.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive whole in time.'];
    default:
      return ['malformed_request', 'This is not a well-formed HTTP request.'];
  }
}
