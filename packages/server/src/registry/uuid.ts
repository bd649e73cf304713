import { randomFillSync } from 'node:crypto';
import { type UUID, V7Generator } from 'uuidv7';

/** Random bytes, read from the system in bulk: reading them for each id takes as long as the rest of generating it. */
const random = new DataView(new ArrayBuffer(4_096));
let used = random.byteLength;

const generator = new V7Generator({ nextUint32 });

function nextUint32(): number {
  if (used === random.byteLength) {
    randomFillSync(random);
    used = 0;
  }
  const word = random.getUint32(used);
  used += 4;
  return word;
}

/** A new UUIDv7 (RFC 9562), greater than those that this process generated before. */
export function newUuid(): UUID {
  return generator.generate();
}

const hexDigits = '0123456789abcdef';
const text = Buffer.alloc(36, '-');

/** The text of a new one. The library joins its text from single digits, which takes twice as long. */
export function newUuidText(): string {
  let at = 0;
  for (const byte of newUuid().bytes) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at += 1;
    text[at] = hexDigits.charCodeAt(byte >> 4);
    text[at + 1] = hexDigits.charCodeAt(byte & 15);
    at += 2;
  }
  return text.toString('latin1');
}

/**
 * A UUIDv7 of this time, in milliseconds; where the previous one is not older, one that follows it. All bits that are not
 * version or variant count as one number, which grows by a random step: so it is greater, processes that continue from
 * the same one do not collide, and an overflow moves to the next millisecond (RFC 9562, section 6.2, method 2).
 */
export function nextUuid(previous: string | null, time: number): string {
  const first = BigInt(Math.max(time, 0)) << 74n;
  const last = previous === null ? 0n : numberOf(previous);
  return uuidOf((last > first ? last : first) + randomStep());
}

function randomStep(): bigint {
  return 1n + BigInt.asUintN(56, (BigInt(nextUint32()) << 32n) | BigInt(nextUint32()));
}

/** The 122 bits of a UUID that are not version or variant. */
function numberOf(uuid: string): bigint {
  const bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  return ((bits >> 80n) << 74n) | (((bits >> 64n) & 0xfffn) << 62n) | BigInt.asUintN(62, bits);
}

function uuidOf(number: bigint): string {
  const high = ((number >> 74n) << 16n) | 0x7000n | ((number >> 62n) & 0xfffn);
  const low = (2n << 62n) | BigInt.asUintN(62, number);
  const hex = ((high << 64n) | low).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
