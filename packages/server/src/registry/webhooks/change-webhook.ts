import type { EventData } from '../../contract/event.ts';
import { updateWebhook } from '../../storage/queries/webhooks.ts';
import type { Connection } from '../../storage/query.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Caller, Registry } from '../registry.ts';
import { lockWebhook } from './lock-webhook.ts';
import { webhookEventData } from './webhook-view.ts';

/** Makes of a webhook what it shall be, at this time. */
type Change = (webhook: WebhookRow, at: number) => Partial<WebhookRow>;

interface AskedChange {
  id: string;
  change: Change;
}

/**
 * Changes a webhook and tells which members have changed; a change of nothing is told nobody. Of the address and the
 * secret the event says that they changed and not what they are. Answers the webhook. Refuses with `webhook_not_found`.
 */
export function changeWebhook(registry: Registry, caller: Caller, asked: AskedChange): Promise<WebhookRow> {
  return registry.storage.write((transaction) => changeWebhookIn(transaction, registry, { caller, ...asked }));
}

/** The same inside a write. */
export async function changeWebhookIn(
  transaction: Connection,
  { now }: Registry,
  { caller, id, change }: AskedChange & { caller: Caller },
): Promise<WebhookRow> {
  const before = await lockWebhook(transaction, id);
  const at = Math.max(now(), before.updated_at);
  const after = { ...before, ...change(before, at), updated_at: at };
  const told = whatChanged(before, after);
  if (told.changed.length === 0) return before;
  await updateWebhook(transaction, after);
  await appendEvent(transaction, { caller, at, type: 'webhook.updated', subjectId: id, ...told });
  return after;
}

function whatChanged(before: WebhookRow, after: WebhookRow): EventData['webhook.updated'] {
  const untold = (['url', 'secret'] as const).filter((name) => before[name] !== after[name]);
  const [was, is] = [webhookEventData(before), webhookEventData(after)];
  const names = Object.keys({ ...was, ...is }) as (keyof typeof was)[];
  const told = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const changed = [...untold, ...told];
  return told.length === 0 ? { changed } : { changed, before: only(was, told), after: only(is, told) };
}

function only<Value extends object>(value: Value, names: (keyof Value)[]): Partial<Value> {
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]])) as Partial<Value>;
}
