import { createHash } from 'node:crypto';
import type { WebhookWithSecret } from '../../contract/webhook.ts';
import { Failure } from '../failure.ts';
import { writeOnce } from '../idempotency.ts';
import type { Caller, Registry } from '../registry.ts';
import { changeWebhookIn } from './change-webhook.ts';
import { requireWebhook } from './lock-webhook.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import { webhookView } from './webhook-view.ts';

/** How long the secret before signs too. */
const bothSignMs = 86_400_000;

/**
 * Gives a webhook a new secret, which is in this answer and in no later one but that to a repeat under the same key:
 * were a lost answer met by another rotation, the secret that the receiver still has would sign no longer. For 24 hours
 * the secret before signs too; one before that no longer does. Refuses with `webhook_not_found`, and a repeat with
 * `secret_replaced` when the secret was rotated once more since.
 */
export async function rotateWebhookSecret(registry: Registry, caller: Caller, id: string): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  const rotated = await writeOnce(registry, caller, {
    content: ['rotateWebhookSecret', id],
    work: async (transaction) => {
      await changeWebhookIn(transaction, registry, {
        caller,
        id,
        change: ({ secret: before }, at) => ({
          secret,
          previous_secret: before,
          previous_secret_until: at + bothSignMs,
        }),
      });
      return { secretHash: hashOf(secret) };
    },
  });
  const row = await requireWebhook(registry.storage.reader, id);
  const told = [secret, row.secret].find((one) => hashOf(one) === rotated.secretHash);
  if (told === undefined) throw replaced(id);
  return { ...webhookView(row, registry.now()), secret: told };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function replaced(id: string): Failure {
  return new Failure(
    'secret_replaced',
    `The secret that the first request with this Idempotency-Key has given ${id} was replaced by another rotation since. Ask who has made that for the secret of today, or rotate once more with a new key.`,
  );
}
