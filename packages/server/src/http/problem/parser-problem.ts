import type { ProblemCode } from '../../kernel/problem-details.ts';

/** An error of Node's HTTP parser, or of a connection. */
export interface ParserError extends Error {
  code?: string | undefined;
  /** In the words of the parser. */
  reason?: string | undefined;
  /** The bytes being parsed, and how many of them were. */
  rawPacket?: unknown;
  bytesParsed?: number | undefined;
}

const methodCharacter = /[\w!#$%&'*+.^`|~-]/;

/** The problem to report for what the parser rejects. It must not matter whether Node knows a method or a coding. */
export function parserProblem(error: ParserError): [ProblemCode, string] {
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
