import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { changeWebhookIn } from './change-webhook.ts';
import { requireWebhook } from './lock-webhook.ts';
import type { WebhookWithSecret } from './webhook.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import { webhookView } from './webhook-view.ts';

/** How long the previous secret also signs. */
const bothSignMs = 86_400_000;

/**
 * Gives a webhook a new secret, which is only in this result and that of a repeated request with the same key. Without
 * the latter, a client that lost the response would have to rotate again, and so invalidate the receiver's secret. The
 * previous secret also signs for 24 hours; older ones no longer do. Refuses with `webhook_not_found`, and a repeated
 * request with `secret_replaced` if the secret was rotated again since.
 */
export async function rotateWebhookSecret(registry: Registry, caller: Caller, id: string): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const rotated = await writeIdempotently(registry, caller, {
    content: ['rotateWebhookSecret', id],
    work: async (transaction) => {
      const sealed = registry.secrets.seal(secret, id);
      await changeWebhookIn(transaction, registry, {
        caller,
        id,
        change: ({ secret: before }, at) => ({
          secret: sealed,
          previous_secret: before,
          previous_secret_until: at + bothSignMs,
        }),
      });
      return { secretHash: hashOf(secret) };
    },
  });
  const row = await requireWebhook(registry.storage.reader, id);
  const current = [secret, registry.secrets.open(row.secret, id)].find(
    (one) => one && hashOf(one) === rotated.secretHash,
  );
  if (!current) throw replaced(id);
  return { ...webhookView(row, registry.now()), secret: current };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function replaced(id: string): Failure {
  return new Failure(
    'secret_replaced',
    `The secret that the first request with this Idempotency-Key gave ${id} has since been replaced by another rotation. Get the current secret from the operator who rotated it, or rotate again with a new key.`,
  );
}
