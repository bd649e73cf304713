import type { AppRegistryEvent } from '../event.ts';
import { readSecrets } from './secret.ts';
import { isSigned } from './signature.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

const toleranceMs = 5 * 60_000;

/**
 * A received webhook.
 *
 * @example
 * const webhook: ReceivedWebhook = { body: await request.text(), headers: request.headers, secret };
 * console.log((await verifyWebhook(webhook)).type);
 */
export interface ReceivedWebhook {
  /** The raw body, before any parsing: different white space changes the signature. */
  body: string | Uint8Array | ArrayBuffer;
  /** The headers of a `Request`, or a record as `node:http` has them. */
  headers:
    | {
        /** The value of a header. */
        get(name: string): string | null;
      }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`, as shown when the webhook was created; several during a rotation. */
  secret: string | readonly string[];
  /** The current time in milliseconds. `Date.now()` by default. */
  now?: number | undefined;
}

/**
 * Verifies a webhook by the Standard Webhooks specification and resolves to its event: one of the secrets has signed
 * it, and it was sent within five minutes of now. An event is delivered at least once: use its `id` to detect duplicates.
 *
 * Rejects with a {@link WebhookVerificationError} if the webhook must not be trusted, and with a `TypeError` for wrong
 * arguments: the secret is malformed, or the body is not the raw one.
 *
 * @example
 * const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
 * console.log(event.id, event.type);
 */
export async function verifyWebhook(webhook: ReceivedWebhook): Promise<AppRegistryEvent> {
  return requireEvent(await verifiedContent(webhook));
}

/**
 * The same for a webhook that receives batches: resolves to the events of a request, which are of one app and in order.
 * A single event is a batch of one, so a receiver is ready before its webhook is changed. A batch is acknowledged and
 * retried as a whole.
 *
 * @example
 * const events = await verifyWebhookBatch({ body: await request.text(), headers: request.headers, secret });
 * for (const event of events) console.log(event.id, event.type);
 */
export async function verifyWebhookBatch(webhook: ReceivedWebhook): Promise<AppRegistryEvent[]> {
  const content = await verifiedContent(webhook);
  return Array.isArray(content) ? content.map(requireEvent) : [requireEvent(content)];
}

/** Undefined if it is not JSON. */
async function verifiedContent({ body, headers, secret, now = Date.now() }: ReceivedWebhook): Promise<unknown> {
  const keys = readSecrets(secret);
  const bytes = rawBytes(body);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signature = readHeader(headers, 'webhook-signature');
  requireRecent(timestamp, now);
  if (!(await isSigned({ id, timestamp, body: bytes, signature }, keys))) {
    throw new WebhookVerificationError(
      'no_matching_signature',
      'No signature matches. Check the secret, and that the body is the raw one.',
    );
  }
  return parse(bytes);
}

function rawBytes(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not `instanceof`: some test runners have their own Uint8Array and ArrayBuffer.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body?.[Symbol.toStringTag] === 'ArrayBuffer') return new Uint8Array(body);
  throw new TypeError('The webhook body is neither text nor bytes. Give the raw body, before anything parses it.');
}

function readHeader(headers: ReceivedWebhook['headers'], name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : findHeader(headers, name);
  if (value && typeof value === 'string') return value;
  throw new WebhookVerificationError('missing_header', `The webhook has no ${name} header.`);
}

/** Names may have any case, unless the record is from `node:http`. */
function findHeader(headers: object, name: string): unknown {
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value.join(' ') : value;
}

function requireRecent(timestamp: string, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', 'webhook-timestamp is not a whole number of seconds.');
  }
  const ageMs = now - Number(timestamp) * 1_000;
  const differenceMs = Math.abs(ageMs);
  if (differenceMs <= toleranceMs) return;
  const [reason, when] = ageMs > 0 ? (['too_old', 'before'] as const) : (['too_new', 'after'] as const);
  throw new WebhookVerificationError(
    reason,
    `The webhook was sent ${Math.ceil(differenceMs / 1_000)} seconds ${when} the local time; at most ${toleranceMs / 1_000} are allowed. Check the local clock; it may also be a replay.`,
  );
}

/** Checks only the type: newer registries send fields and types that are unknown here. */
function requireEvent(event: unknown): AppRegistryEvent {
  if (typeof (event as AppRegistryEvent | null)?.type === 'string') return event as AppRegistryEvent;
  const content = Array.isArray(event) ? 'a batch: verify it with verifyWebhookBatch' : 'not a JSON object with a type';
  throw new WebhookVerificationError('invalid_event', `The signature matches, but the body is ${content}.`);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
