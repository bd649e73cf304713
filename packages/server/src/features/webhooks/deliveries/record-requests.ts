import type { Connection } from '../../../storage/query.ts';
import type { DeliveryRequestRow } from '../../../storage/tables.ts';
import { deleteDeliveryRequests } from './delivery-request-queries.ts';
import type { Exchange } from './exchange.ts';
import type { DueRequest } from './next-requests.ts';

/** An attempt as far as it is stored here. */
interface MadeRequest {
  request: DueRequest;
  result: { exchange: Exchange };
}

/** Stores the requests of attempts that were recorded at a time, each instead of the one before of its first delivery. */
export async function recordRequests(transaction: Connection, attempts: MadeRequest[], at: number): Promise<void> {
  if (attempts.length === 0) return;
  // Most are the first ones of their deliveries: those take one statement.
  const repeated = await transaction.insertNew(
    'delivery_requests',
    attempts.map((attempt) => rowOf(attempt, at)),
  );
  if (repeated.length === 0) return;
  await deleteDeliveryRequests(
    transaction,
    repeated.map(({ delivery_id }) => delivery_id),
  );
  await transaction.insertNew('delivery_requests', repeated);
}

function rowOf({ request, result: { exchange } }: MadeRequest, recorded_at: number): DeliveryRequestRow {
  const { sentAt, durationMs, url, userAgent, response } = exchange;
  const [first] = request.deliveries;
  // A single event gives its id to its request.
  const isBatch = request.id !== first?.eventId;
  return {
    delivery_id: first?.id ?? '',
    recorded_at,
    sent_at: sentAt,
    duration_ms: durationMs,
    url,
    user_agent: userAgent,
    event_ids: isBatch ? request.deliveries.map(({ eventId }) => eventId).join(' ') : null,
    response: response ? JSON.stringify(response) : null,
  };
}
