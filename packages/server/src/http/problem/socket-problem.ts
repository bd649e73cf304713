import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { newUuid } from '../../kernel/ids.ts';
import type { ProblemCode } from '../../kernel/problem-details.ts';
import type { RequestContext, RequestLog } from '../listener/request-context.ts';
import { type ProblemDocs, problemBody, problemMediaType, reasonPhrase } from './problem.ts';

const lingerMs = 1_000;
const retryAfterSeconds = '1';
const closing = { connection: 'close' };

interface SocketProblemOptions {
  docs: ProblemDocs;
  logger: Logger;
  requestLog: RequestLog;
  /** Aborted once the process shuts down: then connections are closed after their response. */
  draining: AbortSignal;
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
    const respond = (context?: RequestContext) => this.#respond(socket, this.#compose(code, detail, context));
    const { context: latest } = socket;
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
  rejectOverload(context: RequestContext): void {
    const { status, headers, text } = this.#compose(
      'unavailable',
      'The registry is overloaded. Nothing was changed. Retry in a moment.',
      context,
    );
    const fields = { ...headers, ...(this.#options.draining.aborted && closing), 'retry-after': retryAfterSeconds };
    context.response.writeHead(status, fields).end(text);
  }

  #respond(socket: Duplex, { status, phrase, headers, text }: Composed): void {
    // The previous response may have closed it.
    if (!socket.writable) return;
    const fields = Object.entries({ ...headers, ...closing }).map(([name, value]) => `${name}: ${value}`);
    close(socket, [`HTTP/1.1 ${status} ${phrase}`, ...fields, '', text].join('\r\n'));
  }

  #compose(code: ProblemCode, detail: string, latest?: RequestContext): Composed {
    const { docs, logger, requestLog } = this.#options;
    const requestId = latest?.id ?? newUuid().toString();
    const problem = problemBody(docs, { code, detail, requestId });
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

/** An error of Node's HTTP parser, or of a connection. */
interface ParserError extends Error {
  code?: string | undefined;
  /** In the words of the parser. */
  reason?: string | undefined;
  /** The bytes being parsed, and how many of them were. */
  rawPacket?: unknown;
  bytesParsed?: number | undefined;
}

const methodCharacter = /[\w!#$%&'*+.^`|~-]/;

/** The problem to report for what the parser rejects. It must not matter whether Node knows a method or a coding. */
function parserProblem(error: ParserError): [ProblemCode, string] {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The request header is larger than the registry accepts. Shorten it.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive in time. Retry on a new connection.'];
    case 'HPE_INVALID_TRANSFER_ENCODING':
      return hasLengthToo(error) ? malformed : unknownCoding;
    case 'HPE_INVALID_METHOD':
      return isMethod(error) ? unknownMethod : malformed;
    // A method of RTSP.
    case 'HPE_INVALID_CONSTANT':
      return error.reason?.startsWith('Invalid method') ? unknownMethod : malformed;
    default:
      return malformed;
  }
}

export const unknownCoding: [ProblemCode, string] = [
  'not_implemented',
  'The only supported Transfer-Encoding is "chunked". Send the body in chunks, or with a Content-Length.',
];
export const unknownMethod: [ProblemCode, string] = [
  'not_implemented',
  'The method is unknown. Use one that this path supports.',
];
export const bodyTooLarge: [ProblemCode, string] = [
  'body_too_large',
  'The request body is larger than the registry accepts. Shorten it.',
];
const malformed: [ProblemCode, string] = [
  'malformed_request',
  'The HTTP request is malformed. Check the client that sent it.',
];

function hasLengthToo({ reason }: ParserError): boolean {
  return reason?.includes('Content-Length') === true;
}

/** Whether the parser stopped within a word that can be a method: other bytes are no HTTP (RFC 9110, 9.1). */
function isMethod({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const isOfMethod = (at: number) => methodCharacter.test(text.charAt(at));
  let end = bytesParsed;
  while (isOfMethod(end)) end += 1;
  return isOfMethod(end - 1) && (end === text.length || text.charAt(end) === ' ');
}
