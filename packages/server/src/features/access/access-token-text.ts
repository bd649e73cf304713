import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type TokenKind, tokenKinds } from './access-token.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomBytesCount = 24;
const randomDigits = 33;
const checksumDigits = 6;
const shape = /^appreg_([a-z]+)_[0-9A-Za-z]{39}$/;

/** The use of a secret of this shape: a token of a kind, a session, or a code that opens a session. */
type SecretKind = TokenKind | 'session' | 'code';

/**
 * A new token of decision 29. Secret scanners recognise its shape, 192 random bits make it unguessable, and a checksum
 * detects typing errors without a query.
 */
export function newTokenText(kind: SecretKind): string {
  const text = `appreg_${kind}_${randomText()}`;
  return text + checksumOf(text);
}

/** Whether a text has the shape and checksum of a token, or of another secret of these kinds. */
export function isTokenText(text: string, kinds: readonly SecretKind[] = tokenKinds): boolean {
  const [, kind] = shape.exec(text) ?? [];
  return kinds.some((one) => one === kind) && text.endsWith(checksumOf(text.slice(0, -checksumDigits)));
}

/** The form in which a token is stored and compared. */
export function hashOfToken(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksumOf(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < checksumDigits; rest = Math.floor(rest / 62)) {
    digits = alphabet[rest % 62] + digits;
  }
  return digits;
}

function randomText(): string {
  let text = '';
  let rest = BigInt(`0x${randomBytes(randomBytesCount).toString('hex')}`);
  for (; text.length < randomDigits; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}
