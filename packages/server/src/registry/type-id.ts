import { uuidv7 } from 'uuidv7';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const typeId = /^(?:(?<prefix>[a-z](?:[a-z_]{0,61}[a-z])?)_)?(?<suffix>[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The kinds of object whose ids the registry makes (decision 5). */
export type IdPrefix = 'app' | 'installation' | 'logo' | 'token' | 'event' | 'webhook' | 'delivery';

/** A new id: a TypeID whose suffix is a UUIDv7, so that ids sort by the time they were made. */
export function newId(prefix: IdPrefix | (string & {})): string {
  return encodeTypeId(prefix, uuidv7());
}

/** What sorts before every id that is made at this time, in milliseconds, and after those made before. */
export function firstIdAt(prefix: IdPrefix, time: number): string {
  const hex = Math.max(time, 0).toString(16).padStart(12, '0');
  return encodeTypeId(prefix, hex.padEnd(32, '0'));
}

/** TypeID 0.3: the text of a UUID under a prefix. */
export function encodeTypeId(prefix: string, id: string): string {
  let value = BigInt(`0x${id.replaceAll('-', '')}`);
  let suffix = '';
  for (let digit = 0; digit < 26; digit += 1) {
    suffix = alphabet[Number(value & 31n)] + suffix;
    value >>= 5n;
  }
  return prefix === '' ? suffix : `${prefix}_${suffix}`;
}

/** TypeID 0.3: the prefix and the UUID behind a text, or null when it is no TypeID. */
export function decodeTypeId(text: string): { prefix: string; uuid: string } | null {
  const parts = typeId.exec(text)?.groups;
  if (!parts) return null;
  let value = 0n;
  for (const digit of parts.suffix as string) value = (value << 5n) | BigInt(alphabet.indexOf(digit));
  const hex = value.toString(16).padStart(32, '0');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { prefix: parts.prefix ?? '', uuid: groups.join('-') };
}

/** Whether a text is a TypeID of this prefix. */
export function isTypeId(text: string, prefix: string): boolean {
  return text.startsWith(`${prefix}_`) && typeId.exec(text)?.groups?.prefix === prefix;
}

/** The TypeID that a person or a file means: a TypeID of the prefix, or a bare UUID; else null. */
export function toTypeId(text: string, prefix: string): string | null {
  if (uuid.test(text)) return encodeTypeId(prefix, text);
  return isTypeId(text, prefix) ? text : null;
}
