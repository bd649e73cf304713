import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const prefix = 'aes256gcm';

interface Key {
  id: string;
  secret: KeyObject;
}

/**
 * Encrypts secrets that the database stores (decision record 0024): a stolen copy of the database does not contain
 * them. The first key encrypts and all of them decrypt, so that keys can be rotated. Without keys, secrets are stored
 * as plain text.
 */
export class SecretKeys {
  readonly #keys: readonly Key[];

  /** Each key has 32 bytes. */
  constructor(keys: readonly KeyObject[] = []) {
    this.#keys = keys.map((secret) => ({ id: idOf(secret), secret }));
  }

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** The secret as it is stored. It can be opened for the same owner only: the id of the row that it belongs to. */
  seal(secret: string, owner: string): string {
    const [key] = this.#keys;
    if (!key) return secret;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key.secret, nonce).setAAD(Buffer.from(owner));
    const text = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${prefix}:${key.id}:${text.toString('base64')}`;
  }

  /** A stored secret, which may be plain text; null when no key opens it. */
  open(stored: string, owner: string): string | null {
    if (!stored.startsWith(`${prefix}:`)) return stored;
    const [, id, text = ''] = stored.split(':');
    const key = this.#keys.find((one) => one.id === id);
    return key ? decrypt(key, Buffer.from(text, 'base64'), owner) : null;
  }

  /** Whether a stored secret is as `seal` would store it now. */
  isCurrent(stored: string): boolean {
    const [key] = this.#keys;
    return key ? stored.startsWith(`${prefix}:${key.id}:`) : !stored.startsWith(`${prefix}:`);
  }
}

/** Identifies a key without revealing it. */
function idOf(key: KeyObject): string {
  return createHmac('sha256', key).update('app-registry key id').digest('hex').slice(0, 8);
}

/** Null when the text was encrypted for another owner, or changed since. */
function decrypt({ secret }: Key, text: Buffer, owner: string): string | null {
  try {
    const decipher = createDecipheriv(algorithm, secret, text.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(text.subarray(-tagBytes));
    const plain = [decipher.update(text.subarray(nonceBytes, -tagBytes)), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    return null;
  }
}
