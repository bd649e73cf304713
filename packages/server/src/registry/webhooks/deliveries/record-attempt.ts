import { updateAttempted } from '../../../storage/queries/deliveries.ts';
import { beginFailing, disableWebhook, endFailing, findWebhook } from '../../../storage/queries/webhooks.ts';
import type { Connection } from '../../../storage/query.ts';
import { appendEvent } from '../../events/append-event.ts';
import type { Caller, Registry } from '../../registry.ts';
import type { DueDelivery } from './next-delivery.ts';
import { retryDelayMs } from './retry-schedule.ts';

const dayMs = 86_400_000;
const failingDaysMax = 5;

const upkeep: Caller = { actor: 'upkeep', requestId: null };

/** What a receiver made of a delivery. */
export interface Answer {
  /** `gone`: it wants no more of them, ever. */
  result: 'taken' | 'refused' | 'gone';
  /** Null when there was no answer. */
  status: number | null;
  /** The beginning of the answer, or why there was none. */
  text: string;
  /** How long it asks to wait. */
  retryAfterMs?: number;
}

/** What that means. */
export interface Outcome {
  state: 'delivered' | 'retried' | 'given up';
  /** Until the next attempt of this delivery; 0 when there is none. */
  waitMs: number;
  /** This attempt was the first to fail, or the first to succeed after that. */
  turned: boolean;
  /** Why the webhook gets nothing more. */
  disabledReason?: string;
}

export interface Attempt {
  delivery: DueDelivery;
  answer: Answer;
  retryMs: readonly number[];
}

/**
 * Records an attempt: the delivery is delivered, waits for the next attempt, or is given up. Disables a webhook
 * that is gone, or of which a delivery is given up when none has succeeded for five days; what is pending stays so.
 * Answers null, and changes nothing, when the delivery is not as it was read: another process has recorded an
 * attempt since, it was asked for anew, or the webhook was deleted.
 */
export function recordAttempt({ storage, now }: Registry, attempt: Attempt): Promise<Outcome | null> {
  return storage.write(async (transaction) => {
    const at = now();
    const { state, waitMs } = judge(attempt);
    if (!(await updateAttempted(transaction, rowOf(attempt, { state, waitMs, at })))) return null;
    const id = attempt.delivery.webhookId;
    if (state === 'delivered') return { state, waitMs, turned: (await endFailing(transaction, { id })) > 0 };
    const turned = (await beginFailing(transaction, { id, at })) > 0;
    const reason = await reasonToDisable(transaction, attempt, { state, at });
    if (reason === undefined || !(await disableWebhook(transaction, { id, at, reason }))) {
      return { state, waitMs, turned };
    }
    const after = { enabled: false, disabledReason: reason };
    const change = { changed: ['enabled', 'disabledReason'], before: { enabled: true }, after };
    await appendEvent(transaction, { caller: upkeep, at, type: 'webhook.updated', subjectId: id, ...change });
    return { state, waitMs, turned, disabledReason: reason };
  });
}

type Judged = Pick<Outcome, 'state' | 'waitMs'>;

function judge({ delivery, answer, retryMs }: Attempt): Judged {
  if (answer.result === 'taken') return { state: 'delivered', waitMs: 0 };
  // Nobody takes it now; it is the first to go when the webhook is enabled again.
  if (answer.result === 'gone') return { state: 'retried', waitMs: 0 };
  const waitMs = retryDelayMs({ attempts: delivery.attempts + 1, retryMs, retryAfterMs: answer.retryAfterMs ?? 0 });
  return waitMs === null ? { state: 'given up', waitMs: 0 } : { state: 'retried', waitMs };
}

function rowOf({ delivery, answer }: Attempt, { state, waitMs, at }: Judged & { at: number }) {
  return {
    id: delivery.id,
    state: ({ delivered: 'delivered', retried: 'pending', 'given up': 'failed' } as const)[state],
    attempts: delivery.attempts + 1,
    attemptsBefore: delivery.attempts,
    dueBefore: delivery.dueAt,
    due_at: at + waitMs,
    attempted_at: at,
    finished_at: state === 'retried' ? null : at,
    answer_status: answer.status,
    answer: answer.text,
  };
}

async function reasonToDisable(
  transaction: Connection,
  { delivery, answer }: Attempt,
  { state, at }: { state: Outcome['state']; at: number },
): Promise<string | undefined> {
  if (answer.result === 'gone') return 'Its receiver says that it is gone for good (410).';
  if (state !== 'given up') return undefined;
  const webhook = await findWebhook(transaction, { id: delivery.webhookId });
  const days = (at - (webhook?.failing_since ?? at)) / dayMs;
  return days >= failingDaysMax ? `No delivery has succeeded for ${Math.floor(days)} days.` : undefined;
}
