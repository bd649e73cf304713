import { randomBytes } from 'node:crypto';
import type { DueRequest } from '../deliveries/next-requests.ts';

/**
 * The header that continues the trace of the change (W3C Trace Context, 3.4): each attempt has its own span.
 * `tracestate` is not sent: receivers are other systems, and it may hold data meant for one tracing system only (7.1).
 */
export function traceOf({ traceparent }: Pick<DueRequest, 'traceparent'>): { traceparent?: string } {
  if (traceparent === undefined) return {};
  const [version, traceId, , flags] = traceparent.split('-');
  return { traceparent: [version, traceId, randomBytes(8).toString('hex'), flags].join('-') };
}
