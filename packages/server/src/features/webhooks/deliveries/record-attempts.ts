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
    const planned = attempts.map((attempt) => ({ ...attempt, ...stateAfter(attempt) }));
    const recorded = await recordRows(transaction, planned, at);
    await recordRequests(transaction, recorded, at);
    const outcomes = new Map<Planned, Outcome>();
    const byWebhook = Map.groupBy(recorded, ({ request }) => request.webhookId);
    // In one order, so that no two processes wait for each other.
    for (const id of [...byWebhook.keys()].toSorted()) {
      const ofWebhook = await settle(registry, transaction, { id, at, attempts: byWebhook.get(id) ?? [] });
      for (const [attempt, outcome] of ofWebhook) outcomes.set(attempt, outcome);
    }
    return planned.map((attempt) => outcomes.get(attempt) ?? null);
  });
}

type NextState = Pick<Outcome, 'state'> & { waitMs: number };
type Planned = Attempt & NextState;

function stateAfter({ request, result, retryMs }: Attempt): NextState {
  if (result.kind === 'accepted') return { state: 'delivered', waitMs: 0 };
  // The webhook gets disabled; this request is the first one once it is enabled again.
  if (result.kind === 'gone') return { state: 'retried', waitMs: 0 };
  const waitMs = retryDelayMs({ attempts: request.attempts + 1, retryMs, retryAfterMs: result.retryAfterMs ?? 0 });
  return waitMs === null ? { state: 'given up', waitMs: 0 } : { state: 'retried', waitMs };
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

function rowOf({ request, result, state, waitMs }: Planned, at: number) {
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

interface AttemptsOfWebhook {
  id: string;
  at: number;
  attempts: Planned[];
}

/** What attempts change about their webhook. Failures count before successes: those have ended them. */
async function settle(
  registry: Registry,
  transaction: Connection,
  { id, at, attempts }: AttemptsOfWebhook,
): Promise<[Planned, Outcome][]> {
  const failed = attempts.find(({ state }) => state !== 'delivered');
  const succeeded = attempts.find(({ state }) => state === 'delivered');
  const changing = new Set<Planned>();
  if (failed && (await markFailing(transaction, { id, at })) > 0) changing.add(failed);
  if (succeeded && (await clearFailing(transaction, { id })) > 0) changing.add(succeeded);
  const disabled = await disableFor(registry, transaction, { id, at, attempts });
  return attempts.map((attempt) => [
    attempt,
    {
      state: attempt.state,
      failingChanged: changing.has(attempt),
      ...(disabled?.attempt === attempt && { disabledReason: disabled.reason }),
    },
  ]);
}

async function disableFor(
  registry: Registry,
  transaction: Connection,
  { id, at, attempts }: AttemptsOfWebhook,
): Promise<{ attempt: Planned; reason: string } | undefined> {
  const attempt =
    attempts.find(({ result }) => result.kind === 'gone') ?? attempts.find(({ state }) => state === 'given up');
  if (!attempt) return undefined;
  const reason = await reasonToDisable(registry, transaction, attempt);
  if (reason === undefined || !(await disableWebhook(transaction, { id, at, reason }))) return undefined;
  const after = { enabled: false, disabledReason: reason };
  const change = { changed: ['enabled', 'disabledReason'], before: { enabled: true }, after };
  await appendEvent(transaction, { caller: maintenance, at, type: 'webhook.updated', subjectId: id, ...change });
  return { attempt, reason };
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
  await transaction.insertNew('delivery_requests', repeated);
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
