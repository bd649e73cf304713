import { hash, randomFillSync } from 'node:crypto';
import { type UUID, V7Generator } from 'uuidv7';

/** Random bytes, read from the system in bulk: reading them for each id takes as long as the rest of generating it. */
const random = new DataView(new ArrayBuffer(4_096));
let used = random.byteLength;

const generator = new V7Generator({ nextUint32 });

function nextUint32(): number {
  return random.getUint32(take(4));
}

function nextByte(): number {
  return random.getUint8(take(1));
}

/** Where the next random bytes are. */
function take(bytes: number): number {
  if (used + bytes > random.byteLength) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

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
export function nextUuid(previous: Buffer | null, time: number): Buffer {
  const bytes = Buffer.alloc(16);
  if (previous && previous.readUIntBE(0, 6) >= time) bytes.set(previous);
  else bytes.writeUIntBE(Math.max(time, 0), 0, 6);
  let carry = 1;
  for (let at = 15; at >= 0; at -= 1) {
    const bits = countingBits[at] ?? 0;
    const sum = (bytes.readUInt8(at) & bits) + (at < stepFrom ? 0 : nextByte()) + carry;
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
