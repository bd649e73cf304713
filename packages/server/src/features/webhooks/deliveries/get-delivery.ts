import { dateTime } from '../../../kernel/date-time.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { isTypeId } from '../../../kernel/type-id.ts';
import type { Reader } from '../../../storage/statement.ts';
import type { DeliveryRequestRow, DeliveryRow, EventRow } from '../../../storage/tables.ts';
import { listEventsById } from '../../events/event-queries.ts';
import type { DeliveryDetails } from '../webhook.ts';
import { findDelivery } from './delivery-queries.ts';
import { findDeliveryRequest } from './delivery-request-queries.ts';
import { deliveryNotFound, deliveryView } from './delivery-view.ts';
import type { RecordedResponse } from './exchange.ts';
import { eventBody, sentOf } from './request-body.ts';
import { requestHeaders, signedHeaders } from './request-headers.ts';

/** A delivery with the request and response of its last attempt, if they are stored. Refuses with `delivery_not_found`. */
export async function getDelivery({ storage }: Registry, id: string): Promise<DeliveryDetails> {
  const delivery = isTypeId(id, 'delivery') ? await findDelivery(storage.reader, { id }) : null;
  if (!delivery) throw deliveryNotFound(id);
  const request = await findDeliveryRequest(storage.reader, { id: delivery.sent_with ?? id });
  // It may be of a later attempt: that of the first delivery of the batch alone.
  if (request?.recorded_at !== delivery.attempted_at) return deliveryView(delivery);
  const sent = await listSent(storage.reader, delivery, request);
  return { ...deliveryView(delivery), request: requestView(request, sent), ...responseView(delivery, request) };
}

/** The events of the request, in its order. */
async function listSent(reader: Reader, delivery: DeliveryRow, request: DeliveryRequestRow): Promise<EventRow[]> {
  const ids = request.event_ids?.split(' ') ?? [delivery.event_id];
  const byId = new Map((await listEventsById(reader, ids)).map((event) => [event.id, event]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function requestView(request: DeliveryRequestRow, events: EventRow[]): NonNullable<DeliveryDetails['request']> {
  const bodies = events.map((event) => ({ eventId: event.id, body: eventBody(event) }));
  const { id, body } = sentOf(bodies, { isBatch: request.event_ids !== null });
  const signed = signedHeaders({ id, at: request.sent_at, signature: 'v1,(not stored)' });
  const headers = requestHeaders(signed, { body, userAgent: request.user_agent });
  return {
    url: request.url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body,
    sentAt: dateTime(request.sent_at),
    durationMs: request.duration_ms,
  };
}

function responseView(
  { response_body: start, response_status: status }: DeliveryRow,
  { response }: DeliveryRequestRow,
): Pick<DeliveryDetails, 'response'> {
  if (response === null || status === null) return {};
  const { headers, rest, isBinary, isCut }: RecordedResponse = JSON.parse(response);
  return {
    response: {
      status,
      headers: headers.map(([name, value]) => ({ name, value })),
      ...(!isBinary && { body: `${start ?? ''}${rest}` }),
      isBinary,
      isTruncated: isCut,
    },
  };
}
