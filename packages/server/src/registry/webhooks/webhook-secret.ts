import { randomBytes } from 'node:crypto';

/** A new secret in the format of Standard Webhooks: 24 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}
