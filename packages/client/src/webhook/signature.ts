import { decodeBase64 } from './secret.ts';

const version = 'v1,';

/** The signed parts of a webhook, as received, and its signature. */
export interface SignedWebhook {
  id: string;
  timestamp: string;
  body: Uint8Array;
  /** One or more signatures, separated by spaces. */
  signature: string;
}

/** Whether one of the signatures matches one of the keys. Versions other than `v1` are ignored. */
export async function isSigned(webhook: SignedWebhook, keys: readonly Uint8Array<ArrayBuffer>[]): Promise<boolean> {
  const content = signedContent(webhook);
  const signatures = readSignatures(webhook.signature);
  for (const key of keys) if (await isSignedWith(key, content, signatures)) return true;
  return false;
}

export function signedContent({ id, timestamp, body }: Omit<SignedWebhook, 'signature'>): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Runs in constant time, with `verify` of Web Crypto. It compares HMACs of the signatures, so that the body is hashed
 * once, however many signatures are sent.
 */
async function isSignedWith(secret: Bytes, content: Bytes, signatures: Bytes[]): Promise<boolean> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  const expected = await subtle.sign('HMAC', key, await subtle.sign('HMAC', key, content));
  for (const signature of signatures) if (await subtle.verify('HMAC', key, expected, signature)) return true;
  return false;
}

function readSignatures(header: string): Bytes[] {
  return header
    .split(' ')
    .filter((signature) => signature.startsWith(version))
    .flatMap((signature) => decodeBase64(signature.slice(version.length)) ?? []);
}
