import { Webhook } from 'standardwebhooks';
import type { DueDelivery } from '../registry/webhooks/deliveries/next-delivery.ts';

/** The headers and body of a delivery, per the Standard Webhooks specification. */
export function sign(
  { event, secrets }: Pick<DueDelivery, 'event' | 'secrets'>,
  at: number,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...signatureOf({ id: event.id, body, secrets }, at) };
  return { headers, body };
}

/** Signs the body at a time with each of the secrets. */
export function signatureOf({ id, body, secrets }: { id: string; body: string; secrets: string[] }, at: number) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
