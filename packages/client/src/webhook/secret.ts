const prefix = 'whsec_';
/** Standard Webhooks 1.0.0, "Signature scheme". */
const bytesMin = 24;
const bytesMax = 64;

/**
 * Decodes secrets in the notation of the registry. Throws a `TypeError` for anything else: that is a configuration error
 * of the receiver, not an invalid webhook.
 */
export function readSecrets(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new TypeError('No webhook secret is given.');
  return secrets.map(readSecret);
}

/** Errors do not quote the secret: messages are logged. */
function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The webhook secret is empty. Check where it is read from, an environment variable for example.',
    );
  }
  if (!secret.startsWith(prefix)) {
    throw new TypeError(`The webhook secret does not start with ${prefix}. Copy all of it again.`);
  }
  const key = decodeBase64(secret.slice(prefix.length));
  if (!key) throw new TypeError(`The webhook secret is not base64 after ${prefix}. Copy all of it again.`);
  if (key.length < bytesMin || key.length > bytesMax) {
    throw new TypeError(
      `The webhook secret holds ${key.length} bytes; it must be ${bytesMin} to ${bytesMax}. Copy all of it again.`,
    );
  }
  return key;
}

/** Null for invalid base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
