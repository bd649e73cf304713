import type { Registry } from '../../kernel/registry.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import type { Sought } from './find-texts.ts';
import { listWebhookNames } from './found-object-queries.ts';
import type { SearchHit } from './search-result.ts';

type WebhookHit = Extract<SearchHit, { type: 'webhook' }>;

/** They are few, and have no index. */
const readMax = 1_000;

/** Webhooks whose name or address contains a text, among the first 1,000. */
export async function findWebhooksByText({ storage }: Registry, { text, wanted }: Sought): Promise<WebhookHit[]> {
  const part = text.toLowerCase();
  const rows = await listWebhookNames(storage.reader, { limit: readMax });
  const found = rows.filter(({ name, url }) => `${name ?? ''}\n${url}`.toLowerCase().includes(part));
  return found.slice(0, wanted).map(webhookHit);
}

export function webhookHit({ id, url, name }: Pick<WebhookRow, 'id' | 'url' | 'name'>): WebhookHit {
  return { type: 'webhook', id, url, ...(name !== null && { name }) };
}
