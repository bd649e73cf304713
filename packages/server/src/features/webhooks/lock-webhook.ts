import { Failure } from '../../kernel/failure.ts';
import { isTypeId } from '../../kernel/type-id.ts';
import type { Connection } from '../../storage/query.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { findWebhook, findWebhookForUpdate } from './webhook-queries.ts';

/** Inside a write: the webhook, locked until the write ends. Refuses with `webhook_not_found`. */
export async function lockWebhook(transaction: Connection, id: string): Promise<WebhookRow> {
  const webhook = isTypeId(id, 'webhook') ? await findWebhookForUpdate(transaction, { id }) : null;
  if (!webhook) throw webhookNotFound(id);
  return webhook;
}

/** Refuses with `webhook_not_found`. */
export async function requireWebhook(connection: Connection, id: string): Promise<WebhookRow> {
  const webhook = isTypeId(id, 'webhook') ? await findWebhook(connection, { id }) : null;
  if (!webhook) throw webhookNotFound(id);
  return webhook;
}

function webhookNotFound(id: string): Failure {
  return new Failure('webhook_not_found', `No webhook has the id ${id}. Check the id.`);
}
