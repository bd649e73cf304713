import { Webhook } from 'standardwebhooks';
import type { DueRequest } from '../registry/webhooks/deliveries/next-requests.ts';

/** The headers that sign a body at a time with each of the secrets, per the Standard Webhooks specification. */
export function signatureOf({ id, body, secrets }: Pick<DueRequest, 'id' | 'body' | 'secrets'>, at: number) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
