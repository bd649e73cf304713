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
  return secrets.length > 0 ? secrets.map(readSecret) : [readSecret('')];
}

/** Errors do not quote the secret: messages are logged. */
function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The webhook secret is empty. Check where it is read from, an environment variable for example.',
    );
  }
  const key = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : null;
  if (key && key.length >= bytesMin && key.length <= bytesMax) return key;
  throw new TypeError(
    `The webhook secret is malformed: it must be ${prefix} and ${bytesMin} to ${bytesMax} bytes in base64. Copy all of it again.`,
  );
}

/** Null for invalid base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
