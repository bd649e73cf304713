import type { WebhookWithSecret } from '../contract/webhook.ts';
import { changeWebhook } from './change-webhook.ts';
import type { Caller, Registry } from './registry.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import { webhookView } from './webhook-view.ts';

/** How long the secret before signs too. */
const bothSignMs = 86_400_000;

/**
 * Gives a webhook a new secret, which is in this answer and in no later one. For 24 hours the one before signs too;
 * one before that no longer does. Refuses with `webhook_not_found`.
 */
export async function rotateWebhookSecret(registry: Registry, caller: Caller, id: string): Promise<WebhookWithSecret> {
  const row = await changeWebhook(registry, caller, {
    id,
    change: ({ secret }, at) => ({
      secret: newWebhookSecret(),
      previous_secret: secret,
      previous_secret_until: at + bothSignMs,
    }),
  });
  return { ...webhookView(row, registry.now()), secret: row.secret };
}
