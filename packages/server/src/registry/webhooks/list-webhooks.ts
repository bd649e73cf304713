import type { PageOf } from '../../contract/page.ts';
import { type Webhook, WebhookQuery } from '../../contract/webhook.ts';
import { listWebhookPage } from '../../storage/queries/webhooks.ts';
import { requireValid } from '../failure.ts';
import { readPage } from '../page.ts';
import type { Registry } from '../registry.ts';
import { webhookView } from './webhook-view.ts';

/** A page of the webhooks, by id, without their secrets. Refuses with `invalid_content`. */
export async function listWebhooks(registry: Registry, input: unknown): Promise<PageOf<Webhook>> {
  const now = registry.now();
  return readPage(requireValid(WebhookQuery, input), {
    name: 'webhooks',
    read: (request) => listWebhookPage(registry.storage.reader, request),
    view: (row) => webhookView(row, now),
  });
}
