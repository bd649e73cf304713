import { createHash } from 'node:crypto';
import type { EventRow } from '../../../storage/tables.ts';
import { eventView } from '../../events/event-query.ts';

/** A request and its response, as they are recorded. */
export interface RecordedRequest {
  sentAt: number;
  /** Time until the response or the failure. */
  durationMs: number;
  /** Without credentials and query. */
  url: string;
  userAgent: string;
  /** Absent when there was none. */
  response?: RecordedResponse;
}

/**
 * The part of a response beyond its status and the start of its text. Bounded, and without the values of secret
 * headers.
 */
export interface RecordedResponse {
  headers: [name: string, value: string][];
  /** The text after its start. */
  rest: string;
  /** Whether the body is not text. */
  isBinary: boolean;
  /** Whether the header or the body went on. */
  isCut: boolean;
}

/** An event as it is sent. */
export function eventBody(event: EventRow): string {
  return JSON.stringify(eventView(event));
}

export interface EventBody {
  eventId: string;
  body: string;
}

/** The `webhook-id` and the body of a request: those of one event, or of several in one request. */
export function requestContent(events: EventBody[], { isBatch }: { isBatch: boolean }): { id: string; body: string } {
  const [first] = events;
  if (!isBatch) return { id: first?.eventId ?? '', body: first?.body ?? '' };
  return { id: batchId(events), body: `[${events.map(({ body }) => body).join(',')}]` };
}

/** Identifies the events of a batch: the same ones have the same id, and others never have. */
function batchId(events: EventBody[]): string {
  const ids = createHash('sha256').update(events.map(({ eventId }) => eventId).join(' '));
  return `batch_${ids.digest('hex').slice(0, 32)}`;
}

/** The header of a request: what signs it, and what describes its body. */
export function requestHeaders(signed: Signed, { body, userAgent }: { body: string; userAgent: string }) {
  return {
    'content-type': 'application/json',
    ...signed,
    'user-agent': userAgent,
    'content-length': String(Buffer.byteLength(body)),
  };
}

export type Signed = ReturnType<typeof signedHeaders>;

/** The headers of the Standard Webhooks specification, for a request sent at a time. */
export function signedHeaders({ id, at, signature }: { id: string; at: number; signature: string }) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signature,
  };
}
