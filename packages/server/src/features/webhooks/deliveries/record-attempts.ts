import type { Caller, Registry } from '../../../kernel/registry.ts';
import { trustedTime } from '../../../kernel/time.ts';
import type { Connection } from '../../../storage/query.ts';
import type { DeliveryRequestRow } from '../../../storage/tables.ts';
import { appendEvent } from '../../events/append-event.ts';
import { clearFailing, disableWebhook, findWebhook, markFailing } from '../webhook-queries.ts';
import { deleteDeliveryRequests } from './delivery-queries.ts';
import type { RecordedRequest } from './delivery-request.ts';
import { updateAttempted } from './next-delivery-queries.ts';
import { type DueRequest, retryDelayMs } from './next-requests.ts';

const dayMs = 86_400_000;
const failingDaysMax = 5;

const maintenance: Caller = { actor: 'maintenance', requestId: null };

/** The receiver's reaction to a request. */
export interface DeliveryResult {
  /** `gone`: the receiver wants no more deliveries, ever. */
  kind: 'accepted' | 'rejected' | 'gone';
  /** Null when there was no response. */
  status: number | null;
  /** The first part of the response, or why there was none. */
  text: string;
  /** The pause that the receiver requests. */
  retryAfterMs?: number;
  exchange: RecordedRequest;
}

/** The consequence of an attempt. */
export interface Outcome {
  state: 'delivered' | 'retried' | 'given up';
  /** Whether this attempt was the first to fail, or the first to succeed after failures. */
  failingChanged: boolean;
  /** Why the attempt disabled the webhook. */
  disabledReason?: string;
}

export interface Attempt {
  request: DueRequest;
  result: DeliveryResult;
  retryMs: readonly number[];
}

/**
 * Records attempts, all in one transaction: their deliveries are delivered, await the next attempt, or are given up.
 * Disables a webhook if its receiver is gone, or if a delivery is given up when none has succeeded for five days. Pending
 * deliveries remain pending. Returns the outcomes in the order of the attempts. That of an attempt is null, and it changes
 * nothing, if its deliveries have changed since they were read: another process recorded an attempt, they were
 * redelivered, or the webhook was deleted.
 */
export function recordAttempts(registry: Registry, attempts: Attempt[]): Promise<(Outcome | null)[]> {
  const { storage, now } = registry;
  return storage.write(async (transaction) => {
    const at = now();
    const planned = attempts.map((attempt) => ({ ...attempt, ...nextState(attempt) }));
    const recorded = await recordRows(transaction, planned, at);
    await recordRequests(transaction, recorded, at);
    const byWebhook = Map.groupBy(recorded, ({ request }) => request.webhookId);
    // In one order, so that no two processes wait for each other.
    for (const id of [...byWebhook.keys()].toSorted()) {
      await settle(registry, transaction, { id, at, attempts: byWebhook.get(id) ?? [] });
    }
    const effective = new Set(recorded);
    return planned.map((attempt) => (effective.has(attempt) ? attempt.outcome : null));
  });
}

interface Planned extends Attempt {
  outcome: Outcome;
  waitMs: number;
}

function nextState({ request, result, retryMs }: Attempt): Pick<Planned, 'outcome' | 'waitMs'> {
  const next = (state: Outcome['state'], waitMs = 0) => ({ outcome: { state, failingChanged: false }, waitMs });
  if (result.kind === 'accepted') return next('delivered');
  // The webhook gets disabled; this request is the first one once it is enabled again.
  if (result.kind === 'gone') return next('retried');
  const waitMs = retryDelayMs({ attempts: request.attempts + 1, retryMs, retryAfterMs: result.retryAfterMs ?? 0 });
  return waitMs === null ? next('given up') : next('retried', waitMs);
}

/** Records attempts with the same outcome by one statement. Returns those that had any effect. */
async function recordRows(transaction: Connection, attempts: Planned[], at: number): Promise<Planned[]> {
  const same = Map.groupBy(attempts, (attempt) => JSON.stringify(rowOf(attempt, at)));
  const ids = new Set<string>();
  for (const group of same.values()) {
    const [first] = group;
    if (!first) continue;
    const before = group.flatMap(({ request }) => request.deliveries);
    for (const id of await updateAttempted(transaction, { ...rowOf(first, at), before })) ids.add(id);
  }
  return attempts.filter(({ request }) => request.deliveries.some(({ id }) => ids.has(id)));
}

function rowOf({ request, result, outcome: { state }, waitMs }: Planned, at: number) {
  return {
    state: ({ delivered: 'delivered', retried: 'pending', 'given up': 'failed' } as const)[state],
    attempts: request.attempts + 1,
    due_at: at + waitMs,
    attempted_at: at,
    finished_at: state === 'retried' ? null : at,
    response_status: result.status,
    response_body: result.text,
    // Null for most, so that they share a statement.
    sent_with: request.deliveries.length > 1 ? (request.deliveries[0]?.id ?? null) : null,
  };
}

/** What attempts change about their webhook. Failures count before successes: those have ended them. */
async function settle(
  registry: Registry,
  transaction: Connection,
  { id, at, attempts }: { id: string; at: number; attempts: Planned[] },
): Promise<void> {
  const failed = attempts.find(({ outcome }) => outcome.state !== 'delivered');
  const succeeded = attempts.find(({ outcome }) => outcome.state === 'delivered');
  if (failed) failed.outcome.failingChanged = (await markFailing(transaction, { id, at })) > 0;
  if (succeeded) succeeded.outcome.failingChanged = (await clearFailing(transaction, { id })) > 0;
  const last =
    attempts.find(({ result }) => result.kind === 'gone') ??
    attempts.find(({ outcome }) => outcome.state === 'given up');
  const reason = last && (await reasonToDisable(registry, transaction, last));
  if (!reason || !(await disableWebhook(transaction, { id, at, reason }))) return;
  last.outcome.disabledReason = reason;
  const after = { enabled: false, disabledReason: reason };
  const change = { changed: ['enabled', 'disabledReason'], before: { enabled: true }, after };
  await appendEvent(transaction, { caller: maintenance, at, type: 'webhook.updated', subjectId: id, ...change });
}

async function reasonToDisable(
  registry: Registry,
  transaction: Connection,
  { request, result }: Planned,
): Promise<string | undefined> {
  if (result.kind === 'gone') return 'The receiver responded with 410 (Gone).';
  const webhook = await findWebhook(transaction, { id: request.webhookId });
  // Not by one reading of the clock: the webhook would miss all events until an operator enables it.
  const at = await trustedTime(registry, transaction);
  const days = (at - (webhook?.failing_since ?? at)) / dayMs;
  return days >= failingDaysMax ? `No delivery has succeeded for ${Math.floor(days)} days.` : undefined;
}

/** Stores the requests of attempts that were recorded at a time, each instead of the one before of its first delivery. */
async function recordRequests(transaction: Connection, attempts: Attempt[], at: number): Promise<void> {
  if (attempts.length === 0) return;
  // Most are the first ones of their deliveries: those take one statement.
  const repeated = await transaction.insertNew(
    'delivery_requests',
    attempts.map((attempt) => requestRow(attempt, at)),
  );
  if (repeated.length === 0) return;
  await deleteDeliveryRequests(
    transaction,
    repeated.map(({ delivery_id }) => delivery_id),
  );
  await transaction.insertAll('delivery_requests', repeated);
}

function requestRow({ request, result: { exchange } }: Attempt, recorded_at: number): DeliveryRequestRow {
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
