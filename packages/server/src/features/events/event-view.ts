import { dateTime } from '../../kernel/date-time.ts';
import type { EventRow } from '../../storage/tables.ts';
import { effectiveIn } from './append-event.ts';
import type { Event } from './event.ts';

/** An event as listed and as delivered to webhooks. */
export function eventView(event: EventRow): Event {
  const view = {
    id: event.id,
    type: event.type,
    timestamp: dateTime(event.occurred_at),
    actor: event.actor,
    ...(event.request_id !== null && { requestId: event.request_id }),
    ...(event.traceparent !== null && { traceparent: event.traceparent }),
    ...(event.reason !== null && { reason: event.reason }),
    ...(event.app_id !== null && { appId: event.app_id }),
    subjectId: event.subject_id,
    data: dataOf(event),
  };
  return view as Event;
}

function dataOf(event: EventRow): object {
  const { before, after, details } = event;
  const effective = effectiveIn(event);
  return {
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
    ...(details !== null && JSON.parse(details)),
    ...(effective !== undefined && { effective }),
  };
}
