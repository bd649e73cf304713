import type { Caller, Registry } from '../../kernel/registry.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import { appendEvent } from '../events/append-event.ts';
import { deletePending, hasManyPending } from './deliveries/delete-pending.ts';
import { deleteFinishedDeliveries, listFinishedOf } from './deliveries/delivery-queries.ts';
import { lockWebhook } from './lock-webhook.ts';
import { setWebhookEnabled } from './set-webhook-enabled.ts';
import type { Webhook } from './webhook.ts';
import { deleteWebhook as removeWebhook } from './webhook-queries.ts';
import { webhookEventData, webhookView } from './webhook-view.ts';

const batchMax = 1_000;

/**
 * Deletes a webhook with all its deliveries, including pending ones, and returns it. If many are pending, it is first
 * disabled, with an event, so that it receives nothing once the first of them are deleted. Refuses with
 * `webhook_not_found`.
 */
export async function deleteWebhook(registry: Registry, caller: Caller, id: string): Promise<Webhook> {
  const { storage, now } = registry;
  if (isTypeId(id, 'webhook')) await deleteDeliveries(registry, caller, id);
  const at = now();
  const row = await storage.write(async (transaction) => {
    const webhook = await lockWebhook(transaction, id);
    await removeWebhook(transaction, { id });
    const before = webhookEventData(webhook);
    await appendEvent(transaction, { caller, at, type: 'webhook.deleted', subjectId: id, before });
    return webhook;
  });
  return webhookView(row, at);
}

/** Before the deletion and in batches, because there may be many: other writes need not wait. */
async function deleteDeliveries(registry: Registry, caller: Caller, webhookId: string): Promise<void> {
  await deleteFinished(registry, webhookId);
  if (!(await hasManyPending(registry, webhookId))) return;
  await setWebhookEnabled(registry, caller, { id: webhookId, enabled: false });
  await deletePending(registry, webhookId);
}

async function deleteFinished({ storage }: Registry, webhookId: string): Promise<void> {
  for (let count = batchMax; count === batchMax; ) {
    const ids = (await listFinishedOf(storage.reader, { webhookId, limit: batchMax })).map(({ id }) => id);
    if (ids.length > 0) await storage.write((transaction) => deleteFinishedDeliveries(transaction, ids));
    count = ids.length;
  }
}
