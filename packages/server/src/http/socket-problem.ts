import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import type { ProblemCode } from '../contract/problem.ts';
import { problemBody, problemMediaType, problemStatuses } from './problem.ts';

interface Place {
  baseUrl: string;
  logger: Logger;
}

/** Answers what the HTTP parser could not make a request of, and closes. */
export function answerOnSocket({ error, socket, ...place }: Place & { error: Error; socket: Socket }): void {
  if ((error as NodeJS.ErrnoException).code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [code, detail] = describe((error as NodeJS.ErrnoException).code);
  const { status, requestId, body } = compose(place, code, detail);
  socket.end(
    [
      `HTTP/1.1 ${status} ${body.title}`,
      `Content-Type: ${problemMediaType}`,
      `Content-Length: ${Buffer.byteLength(body.text)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body.text,
    ].join('\r\n'),
  );
}

/** Answers an `Expect` that is not `100-continue` (RFC 9110, 10.1.1). */
export function refuseExpectation({
  response,
  ...place
}: Place & { request: IncomingMessage; response: ServerResponse }): void {
  const { status, requestId, body } = compose(
    place,
    'expectation_failed',
    'Only "Expect: 100-continue" can be met here.',
  );
  response.writeHead(status, {
    'content-type': problemMediaType,
    'content-length': Buffer.byteLength(body.text),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(body.text);
}

function compose({ baseUrl, logger }: Place, code: ProblemCode, detail: string) {
  const requestId = uuidv7();
  const status = problemStatuses[code];
  const problem = problemBody(baseUrl, { code, detail, requestId });
  logger.info({ requestId, method: null, route: null, status, durationMs: 0 }, 'request');
  return { status, requestId, body: { title: problem.title, text: JSON.stringify(problem) } };
}

function describe(parserCode: string | undefined): [ProblemCode, string] {
  switch (parserCode) {
    case 'HPE_HEADER_OVERFLOW':
      return ['headers_too_large', 'The header of the request is larger than 16 KiB.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request_timeout', 'The request did not arrive whole in time.'];
    default:
      return ['malformed_request', 'This is not a well-formed HTTP request.'];
  }
}
