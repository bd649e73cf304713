import type { Event } from '../../../contract/event.ts';
import { findNextDelivery, listQueueHeads } from '../../../storage/queries/deliveries.ts';
import { findWebhook } from '../../../storage/queries/webhooks.ts';
import { eventView } from '../../events/list-events.ts';
import type { Registry } from '../../registry.ts';

/** What is to be told to a webhook now. */
export interface DueDelivery {
  id: string;
  webhookId: string;
  url: string;
  /** Each of them signs. */
  secrets: string[];
  event: Event;
  /** How many have been made. */
  attempts: number;
  dueAt: number;
}

/** What a process asks for a webhook that it holds. */
export interface HeldWebhook {
  webhookId: string;
  holder: string;
}

/**
 * The names of the queues after one of them whose first delivery is due, of as many as asked for, and the last
 * of those (absent when no more follow). Null when the webhook is disabled, deleted or held by another process.
 */
export async function listDueQueues(
  { storage, now }: Registry,
  { webhookId, holder, after, limit }: HeldWebhook & { after: string; limit: number },
): Promise<{ due: string[]; last?: string | undefined } | null> {
  const webhook = await findWebhook(storage.reader, { id: webhookId });
  if (webhook?.lease_holder !== holder || webhook.disabled_at !== null) return null;
  const heads = await listQueueHeads(storage.reader, { webhookId, after, limit });
  const due = heads.filter((head) => isDue(head, now())).map(({ queue }) => queue);
  return { due, ...(heads.length === limit && { last: heads.at(-1)?.queue }) };
}

/** The first delivery of a queue, when it is due and the webhook is enabled and held by the process. */
export async function nextDelivery(
  { storage, now }: Registry,
  asked: HeldWebhook & { queue: string },
): Promise<DueDelivery | null> {
  const row = await findNextDelivery(storage.reader, asked);
  if (!row || !isDue(row, now())) return null;
  const both = row.previous_secret !== null && (row.previous_secret_until ?? 0) > now();
  return {
    id: row.id,
    webhookId: row.webhook_id,
    url: row.url,
    secrets: both ? [row.secret, row.previous_secret as string] : [row.secret],
    event: eventView({ ...row, id: row.event_id }),
    attempts: row.attempts,
    dueAt: row.due_at,
  };
}

/** The first attempt at once: the clock of the process that has stored it may be ahead of this one. */
function isDue({ attempts, due_at }: { attempts: number; due_at: number }, now: number): boolean {
  return attempts === 0 || due_at <= now;
}
