import { hash, randomFillSync } from 'node:crypto';
import Type from 'typebox';
import { type UUID, V7Generator } from 'uuidv7';
import { appNotFound } from './failure.ts';

// Where responses contain ids. A request may have the bare UUID instead, and any other text finds nothing.
export const AppId = idOf('app', '01jq3v9y6ae0xv5m6b7k8c9d0e');
export const InstallationId = idOf('installation', '01jq3w3k1hf5tr8z0v6n2m9c4d');
export const LogoFileId = idOf('logo', '01jq3va2c8f0ntb5m6b7k8c9d0');
export const TokenId = idOf('token', '01jq3w4m2je6vs9a1w7p3n0d5e');
export const EventId = idOf('event', '01jq3w3k1hf5tr8z0v6n2m9c4d');
export const WebhookId = idOf('webhook', '01jq3w5n3kf7wt0b2x8q4p1e6f');
export const DeliveryId = idOf('delivery', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const ProtectedNameId = idOf('protected', '01jq3w5n3kf7wt0b2x8q4p1e6f');
export const NoteId = idOf('note', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const ReasonTemplateId = idOf('template', '01jq3w6p4me8xv1c3y9r5q2f7g');
export const UserId = platformIdLike('user_01jq3v8nbtf4mrk6d2m3wz5x7c');
export const WorkspaceId = platformIdLike('workspace_01jq3w2r5sfh8tn4m6b7k8c9d0');

function idOf(prefix: string, suffix: string) {
  return typeIdString(prefix, `${prefix}_${suffix}`);
}

/** The platform chooses the prefix of these. */
function platformIdLike(example: string) {
  return typeIdString('[a-z](?:[a-z_]{0,61}[a-z])?', example);
}

/** A TypeID (interface 2.1). */
function typeIdString(prefix: string, example: string) {
  return Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [example] });
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const typeIdPattern = /^(?:(?<prefix>[a-z](?:[a-z_]{0,61}[a-z])?)_)?(?<suffix>[0-7][0-9abcdefghjkmnpqrstvwxyz]{25})$/;
const suffixPattern = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The kinds of object whose ids the registry generates. */
type IdPrefix = 'app' | 'installation' | 'logo' | 'token' | 'event' | 'webhook' | 'delivery';

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

/** Refuses a malformed app id: a database may reject such a text even as a query parameter. */
export function requireAppId(id: string): void {
  if (!isTypeId(id, 'app')) throw appNotFound();
}

/** Reads an id from outside, a TypeID of the prefix or a bare UUID, as a TypeID; null when it is neither. */
export function toTypeId(text: string, prefix: string): string | null {
  if (uuid.test(text)) return encodeTypeId(prefix, text);
  return isTypeId(text, prefix) ? text : null;
}

/** The first and the last id of a prefix that start like a text: with the prefix or without, or as a UUID. Null if none can. */
export function idRange(text: string, prefix: string): { first: string; last: string } | null {
  if (/^(?:[0-9a-f]{8}-[0-9a-f-]{0,27}|[0-9a-f]{32})$/i.test(text)) {
    const digits = text.replaceAll('-', '');
    const [first, last] = ['0', 'f'].map((digit) => encodeTypeId(prefix, digits.padEnd(32, digit)));
    return digits.length <= 32 && first && last ? { first, last } : null;
  }
  const suffix = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text;
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{0,25}$/.test(suffix)) return null;
  return { first: withPrefix(prefix, suffix.padEnd(26, '0')), last: withPrefix(prefix, suffix.padEnd(26, 'z')) };
}

const pool = Buffer.alloc(4_096);
let used = pool.length;

/**
 * Random bytes, read from the system in bulk: reading a few of them takes microseconds, and each update needs some for
 * its revision and its event. They are valid until the next call.
 */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}

const generator = new V7Generator({ nextUint32: () => takeRandomBytes(4).readUInt32LE() });

/** A new UUIDv7 (RFC 9562), greater than those that this process generated before. */
export function newUuid(): UUID {
  return generator.generate();
}

/** The bits of each byte of a UUIDv7 that are not version or variant. */
const countingBits = Uint8Array.from({ length: 16 }, (_, at) => ({ 6: 0x0f, 8: 0x3f })[at] ?? 0xff);
/** The bytes that a random step changes, from this one to the last. */
const stepFrom = 9;

/**
 * The bytes of a UUIDv7 of this time, in milliseconds; where the previous one is not older, of one that follows it. All
 * bits that are not version or variant count as one number, which grows by a random step: so it is greater, processes
 * that continue from the same one do not collide, and an overflow moves to the next millisecond (RFC 9562, section 6.2,
 * method 2).
 */
function nextUuid(previous: Buffer | null, time: number): Buffer {
  const bytes = Buffer.alloc(16);
  if (previous && previous.readUIntBE(0, 6) >= time) bytes.set(previous);
  else bytes.writeUIntBE(Math.max(time, 0), 0, 6);
  const step = takeRandomBytes(16 - stepFrom);
  let carry = 1;
  for (let at = 15; at >= 0; at -= 1) {
    const bits = countingBits[at] ?? 0;
    const sum = (bytes.readUInt8(at) & bits) + (at < stepFrom ? 0 : step.readUInt8(at - stepFrom)) + carry;
    bytes[at] = sum & bits;
    carry = sum > bits ? 1 : 0;
  }
  bytes[6] = bytes.readUInt8(6) | 0x70;
  bytes[8] = bytes.readUInt8(8) | 0x80;
  return bytes;
}

/** The UUIDv5 of a name in a namespace, which is a UUID (RFC 9562, section 5.5). */
export function uuidV5(namespace: string, name: string): string {
  const bytes = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
  // A text: Node takes longer to return bytes than to hash.
  const hex = hash('sha1', bytes, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
