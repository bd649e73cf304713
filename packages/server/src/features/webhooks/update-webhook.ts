import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { changeWebhook } from './change-webhook.ts';
import { storedTypes } from './create-webhook.ts';
import { type Webhook, WebhookUpdate } from './webhook.ts';
import { addressErrors } from './webhook-address.ts';
import { webhookView } from './webhook-view.ts';

/**
 * Updates the given fields of a webhook. Pending deliveries go to a new address too; new types apply to events recorded
 * from now on. Refuses with `invalid_content` or `webhook_not_found`.
 */
export async function updateWebhook(
  registry: Registry,
  caller: Caller,
  { id, update }: { id: string; update: unknown },
): Promise<Webhook> {
  const given = requireValid(WebhookUpdate, update);
  if (given.url !== undefined) throwIfInvalid(addressErrors(registry, given.url));
  const row = await changeWebhook(registry, caller, {
    content: ['updateWebhook', id, given],
    id,
    change: (webhook) => changedRow(webhook, given),
  });
  return webhookView(row, registry.now());
}

function changedRow(
  webhook: WebhookRow,
  { url = webhook.url, name, types, effectiveOnly, batch, requestsAtOnce }: WebhookUpdate,
): Partial<WebhookRow> {
  return {
    url,
    ...(name !== undefined && { name }),
    ...(types !== undefined && { types: storedTypes(types) }),
    ...(effectiveOnly !== undefined && { effective_only: effectiveOnly ? 1 : 0 }),
    ...(batch !== undefined && { batch: batch ? 1 : 0 }),
    ...(requestsAtOnce !== undefined && { requests_at_once: requestsAtOnce }),
    // The new receiver has not failed yet.
    ...(url !== webhook.url && { failing_since: null }),
  };
}
