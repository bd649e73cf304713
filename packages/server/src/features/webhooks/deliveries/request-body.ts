import { createHash } from 'node:crypto';
import type { EventRow } from '../../../storage/tables.ts';
import { eventView } from '../../events/list-events.ts';

/** An event as it is sent. */
export function eventBody(event: EventRow): string {
  return JSON.stringify(eventView(event));
}

export interface EventBody {
  eventId: string;
  body: string;
}

/** The `webhook-id` and the body of a request: those of one event, or of several in one request. */
export function sentOf(events: EventBody[], { isBatch }: { isBatch: boolean }): { id: string; body: string } {
  const [first] = events;
  if (!isBatch) return { id: first?.eventId ?? '', body: first?.body ?? '' };
  return { id: batchId(events), body: `[${events.map(({ body }) => body).join(',')}]` };
}

/** Identifies the events of a batch: the same ones have the same id, and others never have. */
function batchId(events: EventBody[]): string {
  const ids = createHash('sha256').update(events.map(({ eventId }) => eventId).join(' '));
  return `batch_${ids.digest('hex').slice(0, 32)}`;
}
