import { Webhook } from 'standardwebhooks';
import { type Signed, signedHeaders } from '../deliveries/delivery-request.ts';
import type { DueRequest } from '../deliveries/next-requests.ts';

/** The headers that sign a body at a time with each of the secrets, per the Standard Webhooks specification. */
export function signatureOf({ id, body, secrets }: Pick<DueRequest, 'id' | 'body' | 'secrets'>, at: number): Signed {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return signedHeaders({ id, at, signature: signatures.join(' ') });
}
