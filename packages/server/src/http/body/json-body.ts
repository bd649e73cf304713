import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../problem/problem.ts';
import { parseJson } from './json.ts';

/** The media types of an update; both mean the same here (decision 18). */
export const jsonMediaTypes = ['application/json', 'application/merge-patch+json'];

/** Rejects a body that is not JSON by its header fields, before it is read. */
export function requireJsonBody({ headers }: { headers: IncomingHttpHeaders }): void {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined) {
    throw unsupported('Send the body without a Content-Encoding.', { 'accept-encoding': 'identity' });
  }
  const isEmpty = headers['transfer-encoding'] === undefined && Number(length ?? 0) === 0;
  if (type === undefined && isEmpty) return;
  if (jsonMediaTypes.includes(type?.split(';')[0]?.trim().toLowerCase() ?? '')) return;
  throw unsupported(`Send the body as ${jsonMediaTypes.join(' or ')}.`);
}

/** The parsed body, not validated. */
export function jsonBody(request: FastifyRequest): unknown {
  // Without a media type and a body the framework reads nothing.
  return request.body === undefined ? parseJson(Buffer.alloc(0)) : request.body;
}

function unsupported(detail: string, headers: Record<string, string> = {}): HttpProblem {
  return new HttpProblem('unsupported_media_type', detail, {
    'accept-patch': jsonMediaTypes.join(', '),
    ...headers,
  });
}
