import { randomFillSync } from 'node:crypto';
import { type UUID, V7Generator } from 'uuidv7';

/** Random bytes, read from the system in bulk: reading them for each id takes as long as the rest of generating it. */
const random = new DataView(new ArrayBuffer(4_096));
let used = random.byteLength;

const generator = new V7Generator({
  nextUint32() {
    if (used === random.byteLength) {
      randomFillSync(random);
      used = 0;
    }
    const word = random.getUint32(used);
    used += 4;
    return word;
  },
});

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
