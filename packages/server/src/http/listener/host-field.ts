import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../problem/problem.ts';

/** RFC 9112, 3.2. */
export function requireHost({ headers, httpVersion, rawHeaders }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new HttpProblem('malformed_request', 'The request has no Host header, which HTTP/1.1 requires.');
  }
  // Each reader could choose a different one.
  if (countHosts(rawHeaders) > 1) {
    throw new HttpProblem('malformed_request', 'The request has more than one Host header.');
  }
}

/** Names and values alternate. */
export function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
