import { randomBytes } from 'node:crypto';
import type { Registry } from '../../kernel/registry.ts';
import type { WebhookRow } from '../../storage/tables.ts';

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
