import type { Registry } from '../../kernel/registry.ts';
import { requireWebhook } from './lock-webhook.ts';
import type { Webhook } from './webhook.ts';
import { webhookView } from './webhook-view.ts';

/** A webhook without its secret. Refuses with `webhook_not_found`. */
export async function getWebhook(registry: Registry, id: string): Promise<Webhook> {
  return webhookView(await requireWebhook(registry.storage.reader, id), registry.now());
}
