import { randomBytes } from 'node:crypto';
import type { Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import { UnusableDatabase } from '../../storage/storage-failure.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import { findWebhookForUpdate, listWebhookSecrets, updateWebhookRow } from './webhook-queries.ts';

const listedMax = 10;

/** A new secret in the format of Standard Webhooks: 24 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** The secrets that sign a delivery now. None if no key opens the current one. */
export function signingSecrets(
  { secrets, now }: Registry,
  { id, ...webhook }: Pick<WebhookRow, 'id' | 'secret' | 'previous_secret' | 'previous_secret_until'>,
): string[] {
  const current = secrets.open(webhook.secret, id);
  if (current === null) return [];
  const { previous_secret: stored, previous_secret_until: until } = webhook;
  const previous = stored !== null && (until ?? 0) > now() ? secrets.open(stored, id) : null;
  return previous === null ? [current] : [current, previous];
}

/**
 * Encrypts secrets that are stored as plain text, or encrypted with another key, with the first key. Throws
 * `UnusableDatabase` if no key opens the current secret of a webhook. Records no event: the secrets stay the same.
 */
export async function encryptWebhookSecrets(registry: Registry): Promise<void> {
  const { storage, secrets } = registry;
  const webhooks = await listWebhookSecrets(storage.reader, {});
  const unreadable = webhooks.filter(({ id, secret }) => secrets.open(secret, id) === null);
  if (unreadable.length > 0) throw cannotDecrypt(unreadable.map(({ id }) => id));
  const outdated = webhooks.filter(({ secret, previous_secret: previous }) =>
    [secret, previous].some((stored) => stored !== null && !secrets.isCurrent(stored)),
  );
  for (const { id } of outdated) await storage.write((transaction) => encryptAgain(transaction, registry, id));
}

/** A previous secret without a key is removed: its key was lost, and the secret rotated for that reason. */
async function encryptAgain(transaction: Connection, registry: Registry, id: string): Promise<void> {
  const webhook = await findWebhookForUpdate(transaction, { id });
  // Deleted since.
  if (!webhook) return;
  const again = async (stored: string | null) => {
    const secret = stored && registry.secrets.open(stored, id);
    return secret ? registry.secrets.seal(secret, id) : null;
  };
  const secret = await again(webhook.secret);
  if (secret === null) throw cannotDecrypt([id]);
  const previous_secret = await again(webhook.previous_secret);
  await updateWebhookRow(transaction, { ...webhook, secret, previous_secret });
}

function cannotDecrypt(ids: string[]): UnusableDatabase {
  const listed = `${ids.slice(0, listedMax).join(', ')}${ids.length > listedMax ? ' and more' : ''}`;
  return new UnusableDatabase(
    `No key in SECRETS_KEY decrypts the secrets of these webhooks: ${listed}. Add the key that encrypted them. If it is lost, run "app-registry webhook rotate-secret" for each of them, and give the receivers the new secrets.`,
  );
}
