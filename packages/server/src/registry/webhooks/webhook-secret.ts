import { randomBytes } from 'node:crypto';

/** A new secret, as the Standard Webhooks specification writes one: 24 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}
