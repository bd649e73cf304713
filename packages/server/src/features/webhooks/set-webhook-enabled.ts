import type { Caller, Registry } from '../../kernel/registry.ts';
import { changeWebhook } from './change-webhook.ts';
import type { Webhook } from './webhook.ts';
import { webhookView } from './webhook-view.ts';

const enabledNow = { disabled_at: null, disabled_reason: null, failing_since: null };

/**
 * Enables or disables a webhook; repeating it changes nothing. It never receives events recorded while it is disabled,
 * but deliveries that were pending before, once it is enabled. Refuses with `webhook_not_found`.
 */
export async function setWebhookEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<Webhook> {
  const row = await changeWebhook(registry, caller, {
    content: ['setWebhookEnabled', id, enabled],
    id,
    change: (_webhook, at) => (enabled ? enabledNow : { disabled_at: at }),
  });
  return webhookView(row, registry.now());
}
