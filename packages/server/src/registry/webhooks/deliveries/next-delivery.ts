import type { Event } from '../../../contract/event.ts';
import { findNextDelivery, listQueueHeads } from '../../../storage/queries/deliveries.ts';
import { findWebhook } from '../../../storage/queries/webhooks.ts';
import { eventView } from '../../events/list-events.ts';
import type { Registry } from '../../registry.ts';
import { signingSecrets } from '../webhook-secret.ts';
import { retryDelayMsMax } from './retry-schedule.ts';

/** A delivery to be made now. */
export interface DueDelivery {
  id: string;
  webhookId: string;
  url: string;
  /** Each of them signs the delivery. */
  secrets: string[];
  event: Event;
  /** Number of attempts so far. */
  attempts: number;
  dueAt: number;
}

/** A webhook, and the process that holds its lease. */
export interface LeasedWebhook {
  webhookId: string;
  holder: string;
}

/** The pauses between the attempts of a delivery. */
interface Retries {
  retryMs: readonly number[];
}

/**
 * Of the next `limit` queues, those whose first delivery is due, and the last of them all (absent when no more
 * follow). Null if the webhook is disabled, deleted or leased by another process.
 */
export async function listDueQueues(
  { storage, now }: Registry,
  { webhookId, holder, after, limit, retryMs }: LeasedWebhook & Retries & { after: string; limit: number },
): Promise<{ due: string[]; last?: string | undefined } | null> {
  const webhook = await findWebhook(storage.reader, { id: webhookId });
  if (webhook?.lease_holder !== holder || webhook.disabled_at !== null) return null;
  const heads = await listQueueHeads(storage.reader, { webhookId, after, limit });
  const due = heads.filter((head) => isDue(head, { now: now(), retryMs })).map(({ queue }) => queue);
  return { due, ...(heads.length === limit && { last: heads.at(-1)?.queue }) };
}

/**
 * The first delivery of a queue, if it is due and the webhook is enabled and leased by `holder`. Null too if no key opens
 * the secret that signs it.
 */
export async function nextDelivery(
  registry: Registry,
  { retryMs, ...target }: LeasedWebhook & Retries & { queue: string },
): Promise<DueDelivery | null> {
  const row = await findNextDelivery(registry.storage.reader, target);
  if (!row || !isDue(row, { now: registry.now(), retryMs })) return null;
  const secrets = signingSecrets(registry, { ...row, id: row.webhook_id });
  if (secrets.length === 0) return null;
  return {
    id: row.id,
    webhookId: row.webhook_id,
    url: row.url,
    secrets,
    event: eventView({ ...row, id: row.event_id }),
    attempts: row.attempts,
    dueAt: row.due_at,
  };
}

/**
 * The first attempt is due at once: the clock of the process that stored it may be ahead. So is any other whose time is
 * further away than every pause: a clock that was wrong has stored it.
 */
function isDue(
  { attempts, due_at }: { attempts: number; due_at: number },
  { now, retryMs }: Retries & { now: number },
): boolean {
  return attempts === 0 || due_at <= now || due_at > now + retryDelayMsMax(retryMs);
}
