import { updateAttempted } from '../../../storage/queries/deliveries.ts';
import { clearFailing, disableWebhook, findWebhook, markFailing } from '../../../storage/queries/webhooks.ts';
import type { Connection } from '../../../storage/query.ts';
import { appendEvent } from '../../events/append-event.ts';
import type { Caller, Registry } from '../../registry.ts';
import { trustedTime } from '../../trusted-time.ts';
import type { DueDelivery } from './next-delivery.ts';
import { retryDelayMs } from './retry-schedule.ts';

const dayMs = 86_400_000;
const failingDaysMax = 5;

const maintenance: Caller = { actor: 'upkeep', requestId: null };

/** The receiver's reaction to a delivery. */
export interface DeliveryResult {
  /** `gone`: the receiver wants no more deliveries, ever. */
  kind: 'accepted' | 'rejected' | 'gone';
  /** Null when there was no response. */
  status: number | null;
  /** The first part of the response, or why there was none. */
  text: string;
  /** The pause that the receiver requests. */
  retryAfterMs?: number;
}

/** The consequence of an attempt. */
export interface Outcome {
  state: 'delivered' | 'retried' | 'given up';
  /** Until the next attempt of this delivery; 0 when there is none. */
  waitMs: number;
  /** Whether this attempt was the first to fail, or the first to succeed after failures. */
  failingChanged: boolean;
  /** Why the attempt disabled the webhook. */
  disabledReason?: string;
}

export interface Attempt {
  delivery: DueDelivery;
  result: DeliveryResult;
  retryMs: readonly number[];
}

/**
 * Records an attempt: the delivery is delivered, awaits its next attempt, or is given up. Disables the webhook if its
 * receiver is gone, or if a delivery is given up when none has succeeded for five days. Pending deliveries remain
 * pending. Returns null and changes nothing if the delivery has changed since it was read: another process recorded
 * an attempt, it was redelivered, or the webhook was deleted.
 */
export function recordAttempt(registry: Registry, attempt: Attempt): Promise<Outcome | null> {
  const { storage, now } = registry;
  return storage.write(async (transaction) => {
    const at = now();
    const { state, waitMs } = stateAfter(attempt);
    if (!(await updateAttempted(transaction, rowOf(attempt, { state, waitMs, at })))) return null;
    const id = attempt.delivery.webhookId;
    if (state === 'delivered') return { state, waitMs, failingChanged: (await clearFailing(transaction, { id })) > 0 };
    const failingChanged = (await markFailing(transaction, { id, at })) > 0;
    const reason = await reasonToDisable(registry, transaction, { ...attempt, state });
    if (reason === undefined || !(await disableWebhook(transaction, { id, at, reason }))) {
      return { state, waitMs, failingChanged };
    }
    const after = { enabled: false, disabledReason: reason };
    const change = { changed: ['enabled', 'disabledReason'], before: { enabled: true }, after };
    await appendEvent(transaction, { caller: maintenance, at, type: 'webhook.updated', subjectId: id, ...change });
    return { state, waitMs, failingChanged, disabledReason: reason };
  });
}

type NextState = Pick<Outcome, 'state' | 'waitMs'>;

function stateAfter({ delivery, result, retryMs }: Attempt): NextState {
  if (result.kind === 'accepted') return { state: 'delivered', waitMs: 0 };
  // The webhook gets disabled; this delivery is the first one once it is enabled again.
  if (result.kind === 'gone') return { state: 'retried', waitMs: 0 };
  const waitMs = retryDelayMs({ attempts: delivery.attempts + 1, retryMs, retryAfterMs: result.retryAfterMs ?? 0 });
  return waitMs === null ? { state: 'given up', waitMs: 0 } : { state: 'retried', waitMs };
}

function rowOf({ delivery, result }: Attempt, { state, waitMs, at }: NextState & { at: number }) {
  return {
    id: delivery.id,
    state: ({ delivered: 'delivered', retried: 'pending', 'given up': 'failed' } as const)[state],
    attempts: delivery.attempts + 1,
    attemptsBefore: delivery.attempts,
    dueBefore: delivery.dueAt,
    due_at: at + waitMs,
    attempted_at: at,
    finished_at: state === 'retried' ? null : at,
    answer_status: result.status,
    answer: result.text,
  };
}

async function reasonToDisable(
  registry: Registry,
  transaction: Connection,
  { delivery, result, state }: Attempt & Pick<Outcome, 'state'>,
): Promise<string | undefined> {
  if (result.kind === 'gone') return 'The receiver responded with 410 (Gone).';
  if (state !== 'given up') return undefined;
  const webhook = await findWebhook(transaction, { id: delivery.webhookId });
  // Not by one reading of the clock: the webhook would miss all events until an operator enables it.
  const at = await trustedTime(registry, transaction);
  const days = (at - (webhook?.failing_since ?? at)) / dayMs;
  return days >= failingDaysMax ? `No delivery has succeeded for ${Math.floor(days)} days.` : undefined;
}
