import { newUuid, nextUuid } from './uuid.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const typeIdPattern = /^(?:(?<prefix>[a-z](?:[a-z_]{0,61}[a-z])?)_)?(?<suffix>[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/;
const suffixPattern = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The kinds of object whose ids the registry generates (decision 5). */
export type IdPrefix = 'app' | 'installation' | 'logo' | 'token' | 'event' | 'webhook' | 'delivery';

/** A new id: a TypeID whose suffix is a UUIDv7, so that ids sort by creation time. */
export function newId(prefix: IdPrefix | (string & {})): string {
  return withPrefix(prefix, toBase32(newUuid().bytes));
}

/** An id of this time, in milliseconds, or of the previous id's if that is later. Sorts after the previous id. */
export function nextId(prefix: IdPrefix, previous: string | null, time: number): string {
  const before = previous !== null && isTypeId(previous, prefix) ? fromBase32(previous.slice(-26)) : null;
  return withPrefix(prefix, toBase32(nextUuid(before, time)));
}

/** An id that sorts before every id generated at this time, in milliseconds, and after those generated earlier. */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  const hex = Math.max(time, 0).toString(16).padStart(12, '0');
  return encodeTypeId(prefix, hex.padEnd(32, '0'));
}

/** TypeID 0.3: the text of a UUID under a prefix. */
export function encodeTypeId(prefix: string, id: string): string {
  return withPrefix(prefix, toBase32(Buffer.from(id.replaceAll('-', ''), 'hex')));
}

function withPrefix(prefix: string, suffix: string): string {
  return prefix === '' ? suffix : `${prefix}_${suffix}`;
}

/** The 26 digits of 16 bytes, with two zero bits in front. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let rest = 0;
  let bits = 2;
  for (const byte of bytes) {
    rest = ((rest << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(rest >> (bits - 5)) & 31];
  }
  return text;
}

/** The bytes of 26 valid digits. */
function fromBase32(digits: string): Buffer {
  const bytes = Buffer.alloc(16);
  let rest = 0;
  let bits = -2;
  let length = 0;
  for (const digit of digits) {
    rest = ((rest << 5) | alphabet.indexOf(digit)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length] = rest >> bits;
    length += 1;
  }
  return bytes;
}

/** TypeID 0.3: the prefix and the UUID of a text, or null when it is not a TypeID. */
export function decodeTypeId(text: string): { prefix: string; uuid: string } | null {
  const parts = typeIdPattern.exec(text)?.groups;
  if (!parts) return null;
  const hex = fromBase32(parts.suffix ?? '').toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { prefix: parts.prefix ?? '', uuid: groups.join('-') };
}

/** Whether a text is a TypeID of this prefix. */
export function isTypeId(text: string, prefix: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && suffixPattern.test(text.slice(-26));
}

/** Reads an id from outside, a TypeID of the prefix or a bare UUID, as a TypeID; null when it is neither. */
export function toTypeId(text: string, prefix: string): string | null {
  if (uuid.test(text)) return encodeTypeId(prefix, text);
  return isTypeId(text, prefix) ? text : null;
}
