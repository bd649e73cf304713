import { Failure } from '../../kernel/failure.ts';
import { isTypeId } from '../../kernel/ids.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { type RevisionCondition, requireUnchanged } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import { webhookEventData, webhookTag } from './webhook.ts';
import { findWebhook, findWebhookForUpdate, updateWebhookRow } from './webhook-queries.ts';

export interface WebhookChange {
  caller: Caller;
  id: string;
  /** The states in which it may be changed. */
  condition: RevisionCondition;
  /** Returns the changes to the webhook at this time. */
  change: (webhook: WebhookRow, at: number) => Partial<WebhookRow>;
}

/**
 * Inside a write: changes a webhook and records which fields have changed; without changes there is no event. The event
 * names a changed address or secret without its value. Returns the webhook. Refuses with `webhook_not_found`.
 */
export async function changeWebhook(
  transaction: Connection,
  { now }: Registry,
  { caller, id, condition, change }: WebhookChange,
): Promise<WebhookRow> {
  const before = await lockWebhook(transaction, id);
  requireUnchanged('webhook', webhookTag(before), condition);
  const at = now();
  const after = { ...before, ...change(before, at), updated_at: Math.max(at, before.updated_at) };
  const changes = whatChanged(before, after);
  if (changes.changed.length === 0) return before;
  await updateWebhookRow(transaction, after);
  await appendEvent(transaction, { caller, at, type: 'webhook.updated', subjectId: id, ...changes });
  return after;
}

function whatChanged(before: WebhookRow, after: WebhookRow): EventData['webhook.updated'] {
  const confidential = (['url', 'secret'] as const).filter((name) => before[name] !== after[name]);
  const [was, is] = [webhookEventData(before), webhookEventData(after)];
  const names = Object.keys({ ...was, ...is }) as (keyof typeof was)[];
  const shown = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const changed = [...confidential, ...shown];
  return shown.length === 0 ? { changed } : { changed, before: only(was, shown), after: only(is, shown) };
}

function only<Value extends object>(value: Value, names: (keyof Value)[]): Partial<Value> {
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]])) as Partial<Value>;
}

/** Inside a write: the webhook, locked until the write ends. Refuses with `webhook_not_found`. */
export function lockWebhook(transaction: Connection, id: string): Promise<WebhookRow> {
  return requireWebhook(transaction, id, findWebhookForUpdate);
}

/** Refuses with `webhook_not_found`. */
export async function requireWebhook(connection: Connection, id: string, find = findWebhook): Promise<WebhookRow> {
  const webhook = isTypeId(id, 'webhook') ? await find(connection, { id }) : null;
  if (!webhook) throw new Failure('webhook_not_found', `No webhook has the id ${id}. Check the id.`);
  return webhook;
}
