import { check } from '../../contract/check.ts';
import { type Webhook, WebhookUpdate } from '../../contract/webhook.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { throwIfInvalid } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { changeWebhook } from './change-webhook.ts';
import { storedTypes } from './create-webhook.ts';
import { addressFaults } from './webhook-address.ts';
import { webhookView } from './webhook-view.ts';

/**
 * Changes what is given of a webhook. What is pending goes to the new address too; other types hold for events that
 * are recorded from now on. Refuses with `invalid_content` or `webhook_not_found`.
 */
export async function updateWebhook(
  registry: Registry,
  caller: Caller,
  { id, update }: { id: string; update: unknown },
): Promise<Webhook> {
  throwIfInvalid(check(WebhookUpdate, update));
  const given = update as WebhookUpdate;
  if (given.url !== undefined) throwIfInvalid(addressFaults(registry, given.url));
  const row = await changeWebhook(registry, caller, { id, change: (webhook) => changedRow(webhook, given) });
  return webhookView(row, registry.now());
}

function changedRow(webhook: WebhookRow, { url = webhook.url, name, types }: WebhookUpdate): Partial<WebhookRow> {
  return {
    url,
    ...(name !== undefined && { name }),
    ...(types !== undefined && { types: storedTypes(types) }),
    // Another receiver has not failed yet.
    ...(url !== webhook.url && { failing_since: null }),
  };
}
