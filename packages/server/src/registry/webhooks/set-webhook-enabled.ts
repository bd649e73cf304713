import type { Webhook } from '../../contract/webhook.ts';
import type { Caller, Registry } from '../registry.ts';
import { changeWebhook } from './change-webhook.ts';
import { webhookView } from './webhook-view.ts';

const enabledNow = { disabled_at: null, disabled_reason: null, failing_since: null };

/**
 * Enables or disables a webhook; one that is so already stays as it is. What is recorded while it is disabled is never
 * sent to it; what was pending before is, once it is enabled. Refuses with `webhook_not_found`.
 */
export async function setWebhookEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<Webhook> {
  const row = await changeWebhook(registry, caller, {
    id,
    change: (_webhook, at) => (enabled ? enabledNow : { disabled_at: at }),
  });
  return webhookView(row, registry.now());
}
