import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { ProblemCode } from '../../kernel/problem-details.ts';
import { newUuid } from '../../kernel/uuid.ts';
import type { Exchange } from '../listener/exchange.ts';
import type { RequestLog } from '../listener/request-log.ts';
import { type ParserError, parserProblem } from './parser-problem.ts';
import { problemBody, problemMediaType, reasonPhrase } from './problem.ts';

const lingerMs = 1_000;
const retryAfterSeconds = '1';
const closing = { connection: 'close' };

export interface SocketProblemOptions {
  baseUrl: string;
  logger: Logger;
  requestLog: RequestLog;
  /** Whether the process is shutting down: then connections are closed after their response. */
  isDraining: () => boolean;
}

/** Responds, outside the routes, to what never becomes a request of the framework. */
export class SocketProblems {
  readonly #options: SocketProblemOptions;
  readonly #closing = new WeakSet<Socket>();

  constructor(options: SocketProblemOptions) {
    this.#options = options;
  }

  /** Responds to a parser error or a client that is too slow, and closes the connection. */
  respondToParserError(error: ParserError, socket: Socket): void {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    // The parser reports each chunk that follows, too.
    if (this.#closing.has(socket)) return;
    this.#closing.add(socket);

    const [code, detail] = parserProblem(error);
    const respond = (exchange?: Exchange) => this.#respond(socket, this.#compose(code, detail, exchange));
    const { exchange: latest } = socket;
    if (!latest) respond();
    else if (latest.behind) {
      // The requests before it get their responses first.
      latest.behind.response.once('close', () => respond(latest));
    } else if (latest.request.complete) {
      // The error is in what follows that request, which gets its response first.
      if (latest.response.writableFinished) respond();
      else latest.response.once('finish', () => respond());
    } else if (latest.response.headersSent) close(socket);
    else respond(latest);
  }

  /** Responds to a CONNECT, whose target is never a path (RFC 9110, 9.3.6). */
  rejectConnect(socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    this.#respond(
      socket,
      this.#compose(
        'not_implemented',
        'The registry is not a proxy and does not support CONNECT. Send the request directly.',
      ),
    );
  }

  /** Responds to an `Expect` other than `100-continue` (RFC 9110, 10.1.1). */
  rejectExpectation(_request: IncomingMessage, response: ServerResponse): void {
    const { status, headers, text } = this.#compose(
      'expectation_failed',
      'Only "Expect: 100-continue" is supported. Remove any other expectation.',
    );
    response.writeHead(status, { ...headers, ...closing }).end(text);
  }

  /** Responds to a request in an overload. The connection stays open, as a new one costs more. */
  rejectOverload(exchange: Exchange): void {
    const { status, headers, text } = this.#compose(
      'unavailable',
      'The registry is overloaded. Nothing was changed. Retry in a moment.',
      exchange,
    );
    const fields = { ...headers, ...(this.#options.isDraining() && closing), 'retry-after': retryAfterSeconds };
    exchange.response.writeHead(status, fields).end(text);
  }

  #respond(socket: Duplex, { status, phrase, headers, text }: Composed): void {
    // The previous response may have closed it.
    if (!socket.writable) return;
    const fields = Object.entries({ ...headers, ...closing }).map(([name, value]) => `${name}: ${value}`);
    close(socket, [`HTTP/1.1 ${status} ${phrase}`, ...fields, '', text].join('\r\n'));
  }

  #compose(code: ProblemCode, detail: string, latest?: Exchange): Composed {
    const { baseUrl, logger, requestLog } = this.#options;
    const requestId = latest?.id ?? newUuid().toString();
    const problem = problemBody(baseUrl, { code, detail, requestId });
    const { status } = problem;
    if (latest) requestLog.log(latest, status);
    else logger.info({ requestId, method: null, route: null, status, durationMs: 0 }, 'request');

    const text = JSON.stringify(problem);
    const headers = {
      'content-type': problemMediaType,
      'content-length': Buffer.byteLength(text),
      'x-request-id': requestId,
      'cache-control': 'no-store',
    };
    return { status, phrase: reasonPhrase(status), headers, text };
  }
}

interface Composed {
  status: number;
  phrase: string;
  headers: Record<string, string | number>;
  text: string;
}

function close(socket: Duplex, response = ''): void {
  socket.end(response);
  // A client that is still sending would not read the response if the connection closed at once.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
