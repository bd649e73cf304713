import { type IdempotentChange, withoutColumns, writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import { lockWebhook } from './lock-webhook.ts';
import { findWebhook, updateWebhook } from './webhook-queries.ts';
import { webhookEventData } from './webhook-view.ts';

/** Returns the changes to a webhook at this time. */
type Change = (webhook: WebhookRow, at: number) => Partial<WebhookRow>;

interface ChangeRequest {
  id: string;
  change: Change;
}

/**
 * Changes a webhook and records which fields have changed; without changes there is no event. The event names a changed
 * address or secret without its value. Returns the webhook. Refuses with `webhook_not_found`.
 */
export async function changeWebhook(
  registry: Registry,
  caller: Caller,
  { content, ...request }: ChangeRequest & Pick<IdempotentChange<object>, 'content'>,
): Promise<WebhookRow> {
  const { row } = await writeIdempotently<{ row: WebhookRow }>(registry, caller, {
    content,
    work: async (transaction) => ({ row: await changeWebhookIn(transaction, registry, { caller, ...request }) }),
    // The address may contain a secret too.
    form: withoutColumns(['url', 'secret', 'previous_secret'], (transaction) => findWebhook(transaction, request)),
  });
  return row;
}

/** The same within a write. */
export async function changeWebhookIn(
  transaction: Connection,
  { now }: Registry,
  { caller, id, change }: ChangeRequest & { caller: Caller },
): Promise<WebhookRow> {
  const before = await lockWebhook(transaction, id);
  const at = now();
  const after = { ...before, ...change(before, at), updated_at: Math.max(at, before.updated_at) };
  const changes = whatChanged(before, after);
  if (changes.changed.length === 0) return before;
  await updateWebhook(transaction, after);
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
