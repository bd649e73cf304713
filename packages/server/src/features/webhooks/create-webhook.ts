import { Failure, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import { NewWebhook, type WebhookWithSecret } from './webhook.ts';
import { addressErrors } from './webhook-address.ts';
import { insertWebhook } from './webhook-queries.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import { webhookEventData, webhookView } from './webhook-view.ts';

/**
 * Creates a webhook, which receives all events from its own creation on. Its secret is only in this result. Refuses with
 * `invalid_content`, and a repeated request with `webhook_created`.
 */
export async function createWebhook(registry: Registry, caller: Caller, input: unknown): Promise<WebhookWithSecret> {
  const given = requireValid(NewWebhook, input);
  throwIfInvalid(addressErrors(registry, given.url));
  const at = registry.now();
  const secret = newWebhookSecret();
  const row = newRow(given, at);
  await writeIdempotently(registry, caller, {
    content: ['createWebhook', given],
    work: async (transaction) => {
      const { id } = row;
      await insertWebhook(transaction, {
        ...row,
        secret: registry.secrets.seal(secret, id),
      });
      await appendEvent(transaction, {
        caller,
        at,
        type: 'webhook.created',
        subjectId: id,
        after: webhookEventData(row),
      });
      return { id };
    },
    refuseRetry: shownOnce,
  });
  return { ...webhookView(row, at), secret };
}

/** Event types as stored: in a fixed order, so that they can be compared. */
export function storedTypes(types: string[] | null | undefined): string | null {
  return types?.toSorted().join(' ') ?? null;
}

function newRow(
  { url, name, types, effectiveOnly, batch, requestsAtOnce }: NewWebhook,
  at: number,
): Omit<WebhookRow, 'secret'> {
  return {
    id: newId('webhook'),
    url,
    name: name ?? null,
    types: storedTypes(types),
    effective_only: effectiveOnly ? 1 : 0,
    previous_secret: null,
    previous_secret_until: null,
    created_at: at,
    updated_at: at,
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    batch: batch ? 1 : 0,
    requests_at_once: requestsAtOnce ?? null,
  };
}

/** The secret is not stored with the idempotency key. */
function shownOnce({ id }: { id: string }): never {
  throw new Failure(
    'webhook_created',
    `The first request with this Idempotency-Key created ${id} and showed its secret, which is not shown again. If it is lost, rotate the secret of that webhook.`,
  );
}
