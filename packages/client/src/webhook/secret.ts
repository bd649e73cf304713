const prefix = 'whsec_';
/** Standard Webhooks 1.0.0, "Signature scheme". */
const bytesMin = 24;
const bytesMax = 64;

/**
 * The keys of secrets as the registry shows them. Throws a `TypeError` at anything else: it is the receiver that is
 * set up wrongly then, and not the webhook that is refused.
 */
export function readSecrets(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new TypeError('No webhook secret is given, so no webhook can be verified.');
  return secrets.map(readSecret);
}

/** Never tells the secret: messages are logged. */
function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(
      'The webhook secret is empty. Check where it is read from, an environment variable for example.',
    );
  }
  if (!secret.startsWith(prefix)) {
    throw new TypeError(`The webhook secret does not begin with ${prefix}. Give it as the registry has shown it.`);
  }
  const key = decodeBase64(secret.slice(prefix.length));
  if (!key) throw new TypeError(`The webhook secret is not base64 after ${prefix}. Copy it again, whole.`);
  if (key.length < bytesMin || key.length > bytesMax) {
    throw new TypeError(
      `The webhook secret holds ${key.length} bytes; it must be ${bytesMin} to ${bytesMax}. Copy it again, whole.`,
    );
  }
  return key;
}

/** Null for what is not base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
