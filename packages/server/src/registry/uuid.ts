import { randomFillSync } from 'node:crypto';
import { type UUID, V7Generator } from 'uuidv7';

/** Random words, taken from the system many at a time: to ask for those of each id takes as long as all the rest of it. */
const words = new Uint32Array(1_024);
let used = words.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === words.length) {
      randomFillSync(words);
      used = 0;
    }
    return words[used++] as number;
  },
});

/** A new UUIDv7 (RFC 9562), greater than those that this process has made before. */
export function newUuid(): UUID {
  return generator.generate();
}

const hexDigits = '0123456789abcdef';
const digits = Buffer.from(hexDigits);
const text = Buffer.alloc(36, '-');
/** Where the digits of each byte stand. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** The text of a new one. The library joins its own from single digits, which takes twice as long. */
export function newUuidText(): string {
  const { bytes } = newUuid();
  for (const [at, place] of places.entries()) {
    const byte = bytes[at] as number;
    text[place] = digits[byte >> 4] as number;
    text[place + 1] = digits[byte & 15] as number;
  }
  return text.toString('latin1');
}
