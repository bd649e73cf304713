import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { HttpProblem } from '../problem/problem.ts';
import { unknownCoding, unknownMethod } from '../problem/socket-problem.ts';

/** The methods that a route can have; any other is unknown (RFC 9110, 9.1). */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A route of GET serves HEAD, too. */
export function methodsOf(routes: { method: string }[]): string[] {
  return routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** Fields of one value. Where there are two, Node takes the first, joins them, or rejects them. */
const singletonFields = new Set([
  'access-control-request-method',
  'authorization',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'from',
  'host',
  'idempotency-key',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'origin',
  'proxy-authorization',
  'range',
  'referer',
  'user-agent',
]);

/** RFC 9110, 7.2, without what no host name has: a percent-encoding or a delimiter, such as the comma of a list. */
const validHost = /^(?:[\w.~-]+|\[([\da-f:.]+)\])(?::(\d{0,5}))?$/i;

/** After such a request, client and server may disagree about where the next one begins. */
const closing = { connection: 'close' };

/**
 * Rejects a request that another program, such as a proxy, could understand differently (RFC 9112, 11.2), and one
 * that HTTP would allow and the registry cannot understand.
 */
export function requireValidHeader(request: IncomingMessage): void {
  const { headers, httpVersion, method = '' } = request;
  const repeated = hasRepeatedField(request) ? repeatedSingleton(request) : undefined;
  if (repeated !== undefined) throw malformed(`The request has more than one ${repeated} header field. Send one.`);
  if (headers.host === undefined && httpVersion === '1.1') {
    throw malformed('The request has no Host header, which HTTP/1.1 requires. Send one.');
  }
  if (headers.host !== undefined && !isValidHost(headers.host)) {
    throw malformed('The Host header is not a valid host. Send the host of the URL.');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0') throw malformed('HTTP/1.0 has no Transfer-Encoding.');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new HttpProblem(...unknownCoding, closing);
  if (!knownMethods.includes(method)) throw new HttpProblem(...unknownMethod);
}

/** Cheap, as it runs for every request. */
function hasRepeatedField({ headers, rawHeaders }: IncomingMessage): boolean {
  return 2 * Object.keys(headers).length !== rawHeaders.length;
}

function isValidHost(host: string): boolean {
  const match = validHost.exec(host);
  if (!match) return false;
  const [, address, port] = match;
  return (address === undefined || isIPv6(address)) && Number(port ?? 0) < 65_536;
}

/** Names and values alternate. */
function repeatedSingleton({ rawHeaders }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const seen = new Set<string>();
  return names.find((name) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return true;
    if (singletonFields.has(key)) seen.add(key);
    return false;
  });
}

function malformed(detail: string): HttpProblem {
  return new HttpProblem('malformed_request', detail, closing);
}
