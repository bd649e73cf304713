import { UnusableDatabase } from '../../storage/failure.ts';
import { listWebhookSecrets, updateWebhook } from '../../storage/queries/webhooks.ts';
import type { Connection } from '../../storage/query.ts';
import type { WebhookRow } from '../../storage/tables.ts';
import type { Registry } from '../registry.ts';
import { lockWebhook } from './lock-webhook.ts';
import { sealWebhookSecret } from './webhook-secret.ts';

const listedMax = 10;

type StoredSecrets = Pick<WebhookRow, 'id' | 'secret' | 'previous_secret'>;

/**
 * Encrypts with the first key what is stored as plain text or was encrypted with another key. Throws `UnusableDatabase`
 * if no key opens the secret of a webhook. Records no event: the secrets stay the same.
 */
export async function encryptWebhookSecrets(registry: Registry): Promise<void> {
  const { storage, secrets } = registry;
  const webhooks = await listWebhookSecrets(storage.reader, {});
  const unreadable = webhooks.filter((one) =>
    storedSecrets(one).some((stored) => secrets.open(stored, one.id) === null),
  );
  if (unreadable.length > 0) throw cannotDecrypt(unreadable.map(({ id }) => id));
  const outdated = webhooks.filter((one) => !storedSecrets(one).every((stored) => secrets.isCurrent(stored)));
  for (const { id } of outdated) await storage.write((transaction) => encryptAgain(transaction, registry, id));
}

async function encryptAgain(transaction: Connection, registry: Registry, id: string): Promise<void> {
  const webhook = await lockWebhook(transaction, id);
  const again = async (stored: string) => {
    const secret = registry.secrets.open(stored, id);
    if (secret === null) throw cannotDecrypt([id]);
    return sealWebhookSecret(transaction, registry, { id, secret });
  };
  const { secret, previous_secret: previous } = webhook;
  await updateWebhook(transaction, {
    ...webhook,
    secret: await again(secret),
    previous_secret: previous === null ? null : await again(previous),
  });
}

function storedSecrets({ secret, previous_secret: previous }: StoredSecrets): string[] {
  return previous === null ? [secret] : [secret, previous];
}

function cannotDecrypt(ids: string[]): UnusableDatabase {
  const listed = `${ids.slice(0, listedMax).join(', ')}${ids.length > listedMax ? ' and more' : ''}`;
  return new UnusableDatabase(
    `No key in SECRETS_KEY decrypts the secrets of these webhooks: ${listed}. Add the key that encrypted them. If it is lost, run "app-registry webhook rotate" for each of them, and give the receivers the new secrets.`,
  );
}
