import { requireValid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import type { Registry } from '../../kernel/registry.ts';
import { type Webhook, WebhookQuery } from './webhook.ts';
import { listWebhookPage, someWebhookIds } from './webhook-queries.ts';
import { webhookView } from './webhook-view.ts';

/** A page of the webhooks, by id, without their secrets. Refuses with `invalid_content`. */
export async function listWebhooks(registry: Registry, input: unknown): Promise<TotalPageOf<Webhook>> {
  const { withTotal, ...given } = requireValid(WebhookQuery, input);
  const now = registry.now();
  const page = await readPage(given, {
    name: 'webhooks',
    read: (request) => listWebhookPage(registry.storage.reader, request),
    view: (row) => webhookView(row, now),
  });
  if (!withTotal) return page;
  return { ...page, ...(await listTotal(registry, { table: 'webhooks', isFiltered: false, ids: someWebhookIds })) };
}
