import type { AppRegistryEvent, UnknownEvent } from '../../event.ts';
import { readSecrets } from '../secret.ts';
import { signedContent } from '../signature.ts';
import { newId } from './new-id.ts';

/**
 * What to sign: one event, or the events of a batch.
 *
 * @example
 * const webhook: UnsignedWebhook = { events: [webhookEvent('app.submitted'), webhookEvent('app.approved')], secret };
 * console.log((await signWebhook(webhook)).headers['webhook-id']);
 */
export type UnsignedWebhook = {
  /** The secret of the receiver; several to sign as during a rotation. */
  secret: string | readonly string[];
  /** When it is sent, in milliseconds. `Date.now()` by default. */
  now?: number | undefined;
} & (
  | {
      /** A single event. */
      event: AppRegistryEvent | UnknownEvent;
      /** Absent. */
      events?: never;
    }
  | {
      /** Those of a batch. */
      events: readonly (AppRegistryEvent | UnknownEvent)[];
      /** Absent. */
      event?: never;
    }
);

/**
 * The body and headers of a request, as `fetch` takes them.
 *
 * @example
 * const signed: SignedRequest = await signWebhook({ event: webhookEvent('app.approved'), secret });
 * const received = new Request('https://hooks.example.com/', { method: 'POST', ...signed });
 * console.log(received.headers.get('webhook-signature'));
 */
export interface SignedRequest {
  /** The JSON that the signature is of. Send it unchanged. */
  body: string;
  /** The type of the body, and the three headers of Standard Webhooks. */
  headers: Record<'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
}

/**
 * Signs a webhook as the registry does, to test a receiver.
 *
 * @example
 * const { body, headers } = await signWebhook({ event: webhookEvent('app.approved', { appId }), secret });
 * const received = new Request('https://hooks.example.com/', { method: 'POST', body, headers });
 * console.log((await verifyWebhook({ body: await received.text(), headers, secret })).type);
 */
export async function signWebhook({
  event,
  events,
  secret,
  now = Date.now(),
}: UnsignedWebhook): Promise<SignedRequest> {
  const body = JSON.stringify(event ?? events);
  const id = event ? event.id : newId('batch');
  const timestamp = `${Math.floor(now / 1_000)}`;
  const content = signedContent({ id, timestamp, body: new TextEncoder().encode(body) });
  const signatures = await Promise.all(readSecrets(secret).map((key) => sign(content, key)));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

async function sign(content: Uint8Array<ArrayBuffer>, secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}
