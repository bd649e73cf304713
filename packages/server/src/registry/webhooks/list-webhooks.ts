import { check } from '../../contract/check.ts';
import type { PageOf, PageParameters } from '../../contract/page.ts';
import { type Webhook, WebhookQuery } from '../../contract/webhook.ts';
import { listWebhookPage } from '../../storage/queries/webhooks.ts';
import { throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import type { Registry } from '../registry.ts';
import { webhookView } from './webhook-view.ts';

/** A page of the webhooks, by id, without their secrets. Refuses with `invalid_content`. */
export async function listWebhooks(registry: Registry, input: unknown): Promise<PageOf<Webhook>> {
  throwIfInvalid(check(WebhookQuery, input));
  const now = registry.now();
  return readPage(input as PageParameters, {
    read: (request) => listWebhookPage(registry.storage.reader, request),
    view: (row) => webhookView(row, now),
  });
}
